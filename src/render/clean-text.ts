import { isJsonObject, type JsonValue } from '../model/index.ts';

/**
 * Text of a tool result without ANSI sequences and control characters; line breaks and tabs stay, and so does every
 * printable character.
 */
export function stripControls(text: string): string {
  return mayHoldControls.test(text) ? text.replace(ansiSequences, '').replace(controls, '') : text;
}

/**
 * Text of a server for display on one line: no control, ANSI, bidirectional, zero-width or otherwise invisible
 * character, white space folded.
 */
export function cleanText(text: string): string {
  return stripControls(text).replace(invisibles, '').replace(/\s+/gu, ' ').trim();
}

/** The same over several lines, for longer texts: at most one empty line in a row. */
export function cleanLines(text: string): string {
  return stripControls(text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(invisibles, '')
    .replace(/[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * JSON of a server for a model that gets it as it is: no control or unseen character in any text or key, but for those
 * that emoji and scripts other than Latin need. The same value where there is none.
 */
export function withoutUnseen(value: JsonValue): JsonValue {
  if (typeof value === 'string') return stripControls(value).replace(needlessUnseen, '');
  if (Array.isArray(value)) {
    const items = value.map(withoutUnseen);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [withoutUnseen(key), withoutUnseen(item)] as const);
  const isSame = entries.every(([key, item]) => Object.hasOwn(value, String(key)) && item === value[String(key)]);
  return isSame ? value : Object.fromEntries(entries);
}

/** At most `maxChars` characters, cut after a word where one ends in the last third, with `…` in place of the rest. */
export function capText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, Math.max(0, maxChars - 1)).replace(/[\uD800-\uDBFF]$/, '');
  const endsOnWord = /\s/u.test(text.charAt(head.length));
  const wordEnd = head.search(/\s+\S*$/u);
  const cut = !endsOnWord && wordEnd > maxChars * shortestWordCut ? head.slice(0, wordEnd) : head;
  return `${cut.trimEnd().replace(/[,;:(–-]+$/u, '')}…`;
}

/** Cutting at a word may cost at most this much of the room. */
const shortestWordCut = 2 / 3;

const esc = '\\u001b';
const bell = '\\u0007';
/** ECMA-48: control sequences, then strings (titles, links) up to their end, then other two-byte escapes. */
const ansiSequences = new RegExp(
  [
    `(?:${esc}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${esc}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^${bell}${esc}\\u009c]*(?:${bell}|${esc}\\\\|\\u009c)?`,
    `${esc}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);
/** C0, DEL and C1 without tab, line feed and carriage return. */
const controls = /(?![\t\n\r])\p{Cc}/gu;
const mayHoldControls = new RegExp(controls.source, 'u');
/** Format characters (bidi, zero width, tags), lone surrogates, variation selectors, blank letters. */
const invisibles = /\p{Cf}|\p{Cs}|\p{Variation_Selector}|[\u115F\u1160\u3164\uFFA0]/gu;
const otherLetter = '(?!\\p{Script=Latin})\\p{L}';
/** Joiners inside emoji and inside words of other scripts, and how an emoji looks. */
const needed = [
  '(?<=\\p{Extended_Pictographic}\\p{Variation_Selector}?\\p{Emoji_Modifier}?)\\u200D(?=\\p{Extended_Pictographic})',
  `(?<=${otherLetter}\\p{M}*)[\\u200C\\u200D](?=${otherLetter})`,
  '(?<=[\\p{Extended_Pictographic}\\d#*])[\\uFE0E\\uFE0F]',
].join('|');
const needlessUnseen = new RegExp(`(?!${needed})(?:${invisibles.source})`, 'gu');
