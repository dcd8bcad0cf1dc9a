/** Counts the tokens of each text, elsewhere than on the event loop. */
export type CountTokens = (texts: string[]) => Promise<number[]>;

/** Counted at once: a few milliseconds of a counter's time. */
const chunkMaxChars = 2_000;
const chunkMinChars = 64;
/** What is counted ahead, in characters a token: more than text has, less than white space. */
const aheadCharsPerToken = 6;

/** True without counting: every token is at least one byte. */
export function surelyFits(text: string, maxTokens: number): boolean {
  return text.length <= maxTokens && (text.length * 3 <= maxTokens || Buffer.byteLength(text) <= maxTokens);
}

/**
 * How many characters of a text from `start` on take at most `maxTokens` tokens, `undefined` when all do. Reads no further
 * than that, whatever the length of the text.
 */
export async function charsWithin(
  text: string,
  { start = 0, maxTokens }: { start?: number; maxTokens: number },
  count: CountTokens,
): Promise<number | undefined> {
  const chunkChars = Math.min(chunkMaxChars, Math.max(chunkMinChars, Math.floor(maxTokens / 2)));
  const chunksAtOnce = Math.ceil((maxTokens * aheadCharsPerToken) / chunkChars);
  let [at, spent] = [start, 0];
  while (at < text.length) {
    const chunks = chunksFrom(text, at, { chunkChars, most: chunksAtOnce });
    const counts = await count(chunks);
    for (const [index, chunk] of chunks.entries()) {
      spent += counts[index] ?? chunk.length;
      if (spent > maxTokens) return at - start;
      at += chunk.length;
    }
  }
  return undefined;
}

function chunksFrom(text: string, from: number, { chunkChars, most }: { chunkChars: number; most: number }): string[] {
  const chunks: string[] = [];
  for (let at = from; at < text.length && chunks.length < most; ) {
    const end = at + chunkChars;
    // A pair of surrogates stays together, and so do words, by which the tokens of parts add up to those of the whole.
    const gap = end >= text.length ? -1 : text.lastIndexOf(' ', end);
    const wordEnd = gap > at + chunkChars / 2 ? gap : end;
    const cut = /[\uD800-\uDBFF]/.test(text.charAt(wordEnd - 1)) ? wordEnd + 1 : wordEnd;
    chunks.push(text.slice(at, cut));
    at = Math.min(cut, text.length);
  }
  return chunks;
}
