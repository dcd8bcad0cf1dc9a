/**
 * JSON with escapes for what is not seen: control and format characters, line separators, variation selectors, blank
 * letters. It means the same; line feeds between its parts stay.
 */
export function escapeUnseen(json: string): string {
  // By code unit, as JSON escapes: a character beyond U+FFFF has two.
  return json.replace(unseen, (character) =>
    Array.from({ length: character.length }, (_, unit) => {
      return `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\u115F\u1160\u3164\uFFA0]/gu;
