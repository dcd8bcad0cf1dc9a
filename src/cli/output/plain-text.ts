import { stripVTControlCharacters } from 'node:util';

/* Names, descriptions and results come from servers: on a terminal they could move the cursor, hide text or turn it. */

const directionMarks = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const invisibleTags = '\\u{E0000}-\\u{E007F}';
const unprintable = new RegExp(`[\\p{Cc}\\uFEFF${directionMarks}${invisibleTags}]`, 'gu');
const unprintableButLines = new RegExp(`(?![\\n\\t])[\\p{Cc}\\uFEFF${directionMarks}${invisibleTags}]`, 'gu');

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
