import type { CallToolResult, ModeDecision } from '../model/index.ts';
import { type ReadResultInput, readResult } from './read-result.ts';
import { defaultResultLimits, ResultLimiter, type ResultLimits } from './result-limiter.ts';
import { ResultStore } from './result-store.ts';
import type { CountTokens } from './token-budget.ts';

export interface CutResultsDeps {
  /** Absent: results pass whole, whatever their size. */
  countTokens?: CountTokens;
  resultLimits?: Partial<ResultLimits>;
  mode: () => ModeDecision['mode'];
}

/** Results that are too large: cut on their way to the model, kept whole, and read on page by page. */
export class CutResults {
  /** Absent where results pass whole. */
  readonly limiter: ResultLimiter | undefined;
  readonly #count: CountTokens;
  readonly #limits: ResultLimits;
  readonly #store: ResultStore;
  readonly #mode: () => ModeDecision['mode'];

  constructor({ countTokens: count, resultLimits, mode }: CutResultsDeps) {
    const limits = { ...defaultResultLimits, ...resultLimits };
    const store = new ResultStore({ ttlMs: limits.handleTtlMs });
    const isOff = count === undefined || limits.resultMaxTokens === 0;
    this.limiter = isOff ? undefined : new ResultLimiter({ store, limits, count, mode });
    this.#count = count ?? countNothing;
    this.#limits = limits;
    this.#store = store;
    this.#mode = mode;
  }

  /** One page, of a result of this caller. Throws like `readResult`. */
  page(input: ReadResultInput, principal: string): Promise<CallToolResult> {
    const { resultMaxTokens: maxTokens } = this.#limits;
    return readResult({ store: this.#store, count: this.#count, maxTokens, mode: this.#mode }, input, principal);
  }
}

/** Without a counter nothing is cut, and so no page is too large. */
async function countNothing(texts: string[]): Promise<number[]> {
  return texts.map(() => 0);
}
