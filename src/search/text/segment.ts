/** Scripts that are written without spaces between words. */
export const unspacedScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30FC\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const southEastAsian = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Longest run that is handed to the segmenter, whose time grows faster than the text. */
const maxSegmentedCharacters = 400;

let wordSegmenter: Intl.Segmenter | undefined;

/**
 * One run of a script without spaces to tokens. Chinese, Japanese and Korean become overlapping bigrams, which need no
 * dictionary and find inflected and compound words; South-East Asian scripts become words.
 */
export function segment(run: string): string[] {
  return southEastAsian.test(run) ? segmentWords(run) : bigrams([...run.toLowerCase()]);
}

function bigrams(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function segmentWords(run: string): string[] {
  wordSegmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  const text = run.slice(0, maxSegmentedCharacters);
  return Array.from(wordSegmenter.segment(text), ({ segment: word }) => word.toLowerCase());
}
