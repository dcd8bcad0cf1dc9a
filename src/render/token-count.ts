import { createRequire } from 'node:module';

export type TokenCounter = (text: string) => number;

/** The tokenizer that every figure of toolcrib is counted with. */
export const tokenizerName = 'o200k_base';

/** The exact counter. The tokenizer takes about 0.2 s and 30 MB to load, once, at the first call. */
export async function loadTokenCounter(): Promise<TokenCounter> {
  counter ??= loadSync();
  return counter;
}

/** Tokens of a text, exactly; loads the tokenizer when no one has. */
export function countTokens(text: string): number {
  counter ??= loadSync();
  return counter(text);
}

/** True when the text has at most `limit` tokens. Short texts are judged without loading the tokenizer. */
export function fitsTokens(text: string, limit: number): boolean {
  // Every token is at least one byte.
  if (Buffer.byteLength(text) <= limit) return true;
  return countTokens(text) <= limit;
}

let counter: TokenCounter | undefined;

/** Synchronous, since `describe` of the library is; an import would block just as long while it is evaluated. */
function loadSync(): TokenCounter {
  const require = createRequire(import.meta.url);
  const tokenizer = require('gpt-tokenizer/encoding/o200k_base') as typeof import('gpt-tokenizer/encoding/o200k_base');
  return (text) => {
    let sum = 0;
    for (const piece of pieces(text)) sum += tokenizer.countTokens(piece, asPlainText);
    return sum;
  };
}

/** What looks like a special token in a description is text like any other. */
const asPlainText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** Merging takes quadratic time in the length of one unbroken run, so longer runs are counted in parts. */
const runMaxChars = 1_000;
const longRun = new RegExp(
  `[\\p{L}\\p{M}]{${runMaxChars}}|[^\\s\\p{L}\\p{N}]{${runMaxChars}}|\\s{${runMaxChars}}`,
  'u',
);

function pieces(text: string): string[] {
  if (text.length < runMaxChars || !longRun.test(text)) return [text];
  return text.match(new RegExp(`[^]{1,${runMaxChars}}`, 'gu')) ?? [];
}
