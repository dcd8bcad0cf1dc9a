/** Characters that are not seen, by what they are good for in an attack. */
export const unseen = {
  /** ECMA-48 escapes and other control characters: they rewrite what a terminal shows. */
  controls: /(?![\t\n\r])\p{Cc}/u,
  /** Overrides and isolates that show text in another order than it is read. */
  bidirectional: /[\u202A-\u202E\u2066-\u2069]/u,
  /** Tag characters, the supplementary variation selectors and rows of others: whole messages that only a model reads. */
  tags: /[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0F]{2}/u,
  /** Zero width inside or beside Latin words, where no script needs it. */
  zeroWidth:
    /(?<=[\p{Script=Latin}\p{N}\s.,])[\u200B-\u200D\u2060-\u2064\uFEFF\u00AD\u180E\u2800\u115F\u1160\u3164\uFFA0]+(?=[\p{Script=Latin}\p{N}\s.,])/u,
} as const;

const invisible = /\p{Cf}|(?![\t\n\r])\p{Cc}|\p{Variation_Selector}|[\u115F\u1160\u3164\uFFA0]/gu;
const tagCharacters = /[\u{E0020}-\u{E007E}]/gu;

/** Letters of other scripts that look like Latin ones. */
const lookAlikes: Record<string, string> = Object.fromEntries(
  [
    ['аɑαа', 'a'],
    ['ЬƄ', 'b'],
    ['сϲс', 'c'],
    ['ԁ', 'd'],
    ['еҽе', 'e'],
    ['ɡ', 'g'],
    ['һ', 'h'],
    ['іιı', 'i'],
    ['ј', 'j'],
    ['κк', 'k'],
    ['ӏ', 'l'],
    ['м', 'm'],
    ['ո', 'n'],
    ['оοо', 'o'],
    ['рρ', 'p'],
    ['ԛ', 'q'],
    ['ѕ', 's'],
    ['τт', 't'],
    ['υս', 'u'],
    ['νѵ', 'v'],
    ['ԝ', 'w'],
    ['хχ', 'x'],
    ['уγ', 'y'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter) => [letter, to])),
);
const lookAlike = new RegExp(`[${Object.keys(lookAlikes).join('')}]`, 'gu');

/** A text as a model may read it: hidden letters shown, invisible ones gone, in plain lower-case letters on one line. */
export function foldText(text: string): string {
  return text
    .replace(tagCharacters, (letter) => String.fromCodePoint((letter.codePointAt(0) as number) - 0xe0000))
    .normalize('NFKC')
    .replace(invisible, '')
    .toLowerCase()
    .replace(/[’‘`´]/gu, "'")
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The same with letters that only look Latin made Latin. For words that mix scripts; other text loses its meaning by it. */
export function foldLookAlikes(text: string): string {
  return foldText(text).replace(lookAlike, (letter) => lookAlikes[letter] ?? letter);
}

const latin = /\p{Script=Latin}/u;
const resemblingLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/** A word of Latin and other letters mixed; undefined where there is none. Word by word, so that long runs cost no more. */
export function mixedScriptWord(text: string): string | undefined {
  const normal = text.normalize('NFKC');
  if (!resemblingLatin.test(normal)) return undefined;
  return normal.match(/\p{L}{3,}/gu)?.find((word) => latin.test(word) && resemblingLatin.test(word));
}
