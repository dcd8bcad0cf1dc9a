import type { TextOutput } from '../io.ts';

/** One JSON document: indented for people, one line in a pipe. Escapes keep control characters off a terminal. */
export function writeJson(output: TextOutput, value: unknown): void {
  output.write(`${escapeUnprintable(JSON.stringify(value, null, output.isTTY ? 2 : 0))}\n`);
}

/** JSON leaves C1 controls and direction marks as they are; escaped they mean the same. */
function escapeUnprintable(json: string): string {
  return json.replace(
    /[\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
