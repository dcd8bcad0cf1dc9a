import type { TextOutput } from '../io.ts';

/** One JSON document: indented for people, one line in a pipe. Escapes keep control characters off a terminal. */
export function writeJson(output: TextOutput, value: unknown): void {
  output.write(`${escapeUnprintable(JSON.stringify(value, null, output.isTTY ? 2 : 0))}\n`);
}

/** JSON leaves C1 controls and whatever else is not seen as it is; escaped it means the same. */
function escapeUnprintable(json: string): string {
  return json.replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, unit) => {
      return `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Variation_Selector}\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu;
