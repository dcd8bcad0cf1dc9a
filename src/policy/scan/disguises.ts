/**
 * What a folded text says once its disguise is off, for each disguise that it seems to wear: sentences written as one name,
 * character references, letters shifted by 13, text from back to front, digits for letters. None for ordinary text, so that
 * it costs no second search.
 */
export function disguisedReadings(text: string): string[] {
  return disguises.flatMap(({ signs, atLeast, undo }) => (count(text, signs) >= atLeast ? [undo(text)] : []));
}

interface Disguise {
  signs: RegExp;
  /** More of them than ordinary text has by chance. */
  atLeast: number;
  undo: (text: string) => string;
}

const disguises: readonly Disguise[] = [
  {
    signs: /(?<![a-z_-])[a-z]+(?:[_-][a-z]+){4,}/gu,
    atLeast: 1,
    undo: (text) => text.replace(/(?<=[a-z])[_-](?=[a-z])/gu, ' '),
  },
  { signs: /&#(?:\d{2,6}|x[\da-f]{2,5});/gu, atLeast: 3, undo: withoutReferences },
  // "the", "and", "your", "all", "this" and "with", as they look then.
  { signs: /\b(?:gur|naq|lbhe|nyy|guvf|jvgu)\b/gu, atLeast: 2, undo: rotated },
  { signs: /\b(?:eht|dna|ruoy|lla|siht|htiw)\b/gu, atLeast: 2, undo: (text) => [...text].reverse().join('') },
  { signs: /[a-z][013457@$]+[a-z]/gu, atLeast: 3, undo: (text) => text.replace(/[013457@$]/gu, letterOf) },
];

function count(text: string, signs: RegExp): number {
  return text.match(signs)?.length ?? 0;
}

function withoutReferences(text: string): string {
  return text.replace(/&#(?:(\d{2,6})|x([\da-f]{2,5}));/gu, (_, decimal?: string, hex?: string) =>
    String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)).toLowerCase(),
  );
}

const aCode = 97;

function rotated(text: string): string {
  return text.replace(/[a-z]/gu, (letter) => String.fromCharCode(((letter.charCodeAt(0) - aCode + 13) % 26) + aCode));
}

const letters: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' };

function letterOf(sign: string): string {
  return letters[sign] ?? sign;
}
