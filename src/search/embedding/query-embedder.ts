import { LRUCache } from 'lru-cache';
import { isToolcribError, messageOf } from '../../errors/index.ts';
import type { Embedder, Logger } from '../../model/index.ts';

/** Vectors for the texts asked for, or why there are none. */
export type QueryVectors = { vectors: Float32Array[] } | { unavailable: 'off' | 'loading' | 'unreachable' | 'broken' };

/**
 * How long a search waits for the model at most. A cold command-line run needs about 300 ms for it and is then as good as
 * a warm one; a machine too busy for this limit answers by keywords.
 */
const maxWaitMs = 1_500;
/** An embedder with a limit of its own says itself what went wrong, if it is given this much longer. */
const graceMs = 250;

/** Models ask again with the same words, page by page and after each call. */
const cachedQueries = 256;

/** The embedder as a search uses it: within bounded time, failing softly, saying so in the log once. */
export class QueryEmbedder {
  readonly #embedder: Embedder | undefined;
  readonly #logger: Logger;
  readonly #cache = new LRUCache<string, Float32Array[]>({ max: cachedQueries });
  #state: 'cold' | 'loading' | 'ready' | 'broken' = 'cold';
  #loading: Promise<void> | undefined;
  #isUnreachable = false;

  constructor(embedder: Embedder | undefined, logger: Logger) {
    this.#embedder = embedder;
    this.#logger = logger;
    if (embedder === undefined) logger.info('search works by keywords alone: embedding is off');
  }

  /** The model's id; undefined when embedding is off. */
  get modelId(): string | undefined {
    return this.#embedder?.id;
  }

  get broken(): boolean {
    return this.#state === 'broken';
  }

  /** The vector of a query, then those of its parts. With `mayWait` a model that still loads is waited for, within its limit. */
  async embed(query: string, parts: readonly string[], mayWait: boolean): Promise<QueryVectors> {
    if (this.#embedder === undefined) return { unavailable: 'off' };
    const known = this.#cache.get(cacheKey(query, parts));
    if (known !== undefined) return { vectors: known };
    this.#startLoading(this.#embedder);
    // Lets what is known already, such as a model that failed before, be told at once.
    if (this.#state === 'loading') await new Promise((resolve) => setImmediate(resolve));
    if (this.broken) return { unavailable: 'broken' };
    if (this.#state === 'loading' && !mayWait) return { unavailable: 'loading' };
    const { queryTimeoutMs } = this.#embedder;
    const limitMs = queryTimeoutMs === undefined ? maxWaitMs : queryTimeoutMs + graceMs;
    return within(this.#embedNow(this.#embedder, query, parts), limitMs, { unavailable: 'loading' });
  }

  #startLoading(embedder: Embedder): void {
    if (this.#state !== 'cold') return;
    this.#state = 'loading';
    this.#loading = embedder.ready().then(
      () => {
        this.#state = 'ready';
      },
      (error: unknown) => this.#fail(error),
    );
  }

  async #embedNow(embedder: Embedder, query: string, parts: readonly string[]): Promise<QueryVectors> {
    try {
      // A model that is loaded gets the texts at once, in this turn: the caller has other work to do meanwhile.
      if (this.#state !== 'ready') await this.#loading;
      if (this.broken) return { unavailable: 'broken' };
      const vectors =
        parts.length > 0 && embedder.embedParts !== undefined
          ? await embedder.embedParts(query, parts)
          : await embedder.embed([query, ...parts], 'query');
      this.#isUnreachable = false;
      this.#cache.set(cacheKey(query, parts), vectors);
      return { vectors };
    } catch (error) {
      if (isToolcribError(error, 'embedding_endpoint_unavailable')) return this.#missOnce(error);
      this.#fail(error);
      return { unavailable: 'broken' };
    }
  }

  /** The next query tries again; the log hears of it once, until it works again. */
  #missOnce(error: unknown): QueryVectors {
    if (!this.#isUnreachable) {
      this.#logger.warn('the embedding endpoint does not answer, search goes on by keywords', {
        error: messageOf(error),
      });
    }
    this.#isUnreachable = true;
    return { unavailable: 'unreachable' };
  }

  #fail(error: unknown): void {
    if (this.#state === 'broken') return;
    this.#state = 'broken';
    if (isToolcribError(error, 'closed')) return;
    this.#logger.warn('the embedding model does not work, search goes on by keywords', explain(error));
  }
}

function cacheKey(query: string, parts: readonly string[]): string {
  return JSON.stringify([query, ...parts]);
}

function explain(error: unknown): Record<string, unknown> {
  return isToolcribError(error) ? { error: error.message, next: error.next } : { error: messageOf(error) };
}

async function within<Value>(work: Promise<Value>, limitMs: number, late: Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Value>((resolve) => {
    timer = setTimeout(resolve, limitMs, late);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
