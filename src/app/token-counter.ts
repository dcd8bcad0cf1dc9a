import { builtFile } from '../model/index.ts';
import { loadTokenCounter, tokenizerName } from '../render/index.ts';
import { type BatchCounter, startTokenThread } from './token-thread.ts';

/** Counts tokens as the host's own model does. */
export interface HostTokenCounter {
  /** Named beside every figure. A catalog keeps the counts of one tokenizer: programs that count otherwise need files of their own. */
  tokenizer: string;
  /** Tokens of one text: a whole number. */
  count(text: string): number | Promise<number>;
}

/** Where the figures of `stats`, `budget` and the mode come from. */
export interface TokenCounterChoice {
  tokenizer: string;
  /** For many texts, in the background. */
  start(): BatchCounter;
  /** For some texts now. */
  count(texts: readonly string[]): Promise<number[]>;
}

/** The host's counter, or o200k on a thread of its own. */
export function chooseTokenCounter(host?: HostTokenCounter): TokenCounterChoice {
  if (host === undefined) {
    return {
      tokenizer: tokenizerName,
      start: () => startTokenThread(builtFile('app/token-worker')),
      count: async (texts) => texts.map(await loadTokenCounter()),
    };
  }
  const count = (texts: readonly string[]) =>
    Promise.all(texts.map(async (text) => checked(host, await host.count(text))));
  return { tokenizer: host.tokenizer, count, start: () => ({ count, close: async () => undefined }) };
}

/** A figure that is none would be kept, and decide the mode. */
function checked({ tokenizer }: HostTokenCounter, tokens: unknown): number {
  if (typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0) return Math.ceil(tokens);
  throw new TypeError(
    `The token counter ${JSON.stringify(tokenizer)} gave ${String(tokens)}, which is no number of tokens.`,
  );
}
