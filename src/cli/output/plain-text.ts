import { stripVTControlCharacters } from 'node:util';

/* Names, descriptions and results come from servers: on a terminal they could move the cursor, hide text or turn it. */

/** Joiners that emoji and scripts other than Latin need to be read; between other characters they only hide. */
const neededJoiners =
  '(?<=\\p{Extended_Pictographic}\\p{Variation_Selector}?\\p{Emoji_Modifier}?)\\u200D(?=\\p{Extended_Pictographic})|(?<=(?!\\p{Script=Latin})\\p{L}\\p{M}*)[\\u200C\\u200D](?=(?!\\p{Script=Latin})\\p{L})';
/** How an emoji looks. */
const neededSelectors = '(?<=[\\p{Extended_Pictographic}\\d#*])[\\uFE0E\\uFE0F]';
const unseen = '[\\p{Cf}\\p{Cs}\\p{Variation_Selector}\\u115F\\u1160\\u3164\\uFFA0]';
const unprintable = new RegExp(`(?!${neededJoiners}|${neededSelectors})(?:${unseen}|\\p{Cc})`, 'gu');
const unprintableButLines = new RegExp(
  `(?!${neededJoiners}|${neededSelectors})(?:${unseen}|(?![\\n\\t])\\p{Cc})`,
  'gu',
);

/** Text that is safe to print, with its lines and tabs kept. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n?/g, '\n').replace(unprintableButLines, '');
}

/** Text that is safe to print, on one line. */
export function singleLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(unprintable, '')
    .trim();
}

/** Text whose every unseen character is shown as its escape: for a person who decides about it. */
export function showUnseen(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16).toUpperCase()}}`,
  );
}
