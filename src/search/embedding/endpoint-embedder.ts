import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolcribError } from '../../errors/index.ts';
import { type Embedder, steadyNow } from '../../model/index.ts';
import type { EmbedPriority } from './embed-queue.ts';
import { embedderId } from './embedder-id.ts';
import { readVectors } from './endpoint-answer.ts';
import { type EndpointAddress, EndpointClient, EndpointError } from './endpoint-request.ts';
import { closedError } from './local-embedder.ts';

export interface EndpointOptions extends EndpointAddress {
  model: string;
  /** Asked for in each request, and checked. Default: the size of the first vector that comes. */
  dimensions?: number;
  queryPrefix?: string;
  documentPrefix?: string;
  readsAllScripts: boolean;
  /** Documents in one request. */
  batchSize: number;
  /** Limit of one request for documents. */
  timeoutMs: number;
  /** Limit of one request for a query. */
  queryTimeoutMs: number;
  /** Pauses between tries. Default: half a second, doubled each time. */
  firstPauseMs?: number;
}

/** Requests for the same documents, the first included: after about 15 s of pauses the work is left for later. */
const maxTries = 6;
const defaultFirstPauseMs = 500;
/** An endpoint that asks for a longer pause is left alone for now: the background work comes back by itself. */
const maxPauseMs = 60_000;
/** How long queries do without an endpoint that just failed: each would wait for its whole time limit. */
const queryPauseMs = 5_000;
/** A longer text is cut: no model reads more. */
const maxCharacters = 32_768;
/** A text this short that is still refused is not refused for its length. */
const minCharacters = 200;

/**
 * Embeds through an OpenAI-compatible `/v1/embeddings` endpoint. Documents go in batches and are tried again on 429 and 5xx;
 * a query is tried once, within its own short limit. `embed` rejects with `embedding_endpoint_unavailable` (later may be
 * better), `embedding_endpoint_refused` (the config is wrong), `closed`. No message holds the key.
 */
export function createEndpointEmbedder(options: EndpointOptions): Embedder {
  return new EndpointEmbedder(options);
}

class EndpointEmbedder implements Embedder {
  readonly id: string;
  readonly readsAllScripts: boolean;
  readonly documentBatch: number;
  readonly queryTimeoutMs: number;
  readonly #options: EndpointOptions;
  readonly #client: EndpointClient;
  readonly #closing = new AbortController();
  #dimensions: number;
  #failed: { error: ToolcribError; until: number } | undefined;

  constructor(options: EndpointOptions) {
    const { baseUrl, model, dimensions, documentPrefix = '' } = options;
    this.id = embedderId(['openai', model, dimensions ?? 'any'], [baseUrl, documentPrefix]);
    this.readsAllScripts = options.readsAllScripts;
    this.documentBatch = options.batchSize;
    this.queryTimeoutMs = options.queryTimeoutMs;
    this.#options = options;
    this.#client = new EndpointClient(options);
    this.#dimensions = dimensions ?? 0;
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  /** There is nothing to load, and a request only to find out would cost as much as the first one. */
  async ready(): Promise<void> {
    this.#closing.signal.throwIfAborted();
  }

  async embed(texts: readonly string[], priority: EmbedPriority): Promise<Float32Array[]> {
    this.#closing.signal.throwIfAborted();
    if (texts.length === 0) return [];
    const { queryPrefix = '', documentPrefix = '' } = this.#options;
    const prefix = priority === 'query' ? queryPrefix : documentPrefix;
    const inputs = texts.map((text) => acceptable(prefix + text));
    try {
      return priority === 'query' ? await this.#embedQuery(inputs) : await this.#embedDocuments(inputs);
    } catch (error) {
      throw error instanceof EndpointError ? error.failure.error : error;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(closedError());
  }

  async #embedQuery(inputs: readonly string[]): Promise<Float32Array[]> {
    if (this.#failed !== undefined && steadyNow() < this.#failed.until) throw this.#failed.error;
    try {
      return await this.#request(inputs, this.#options.queryTimeoutMs);
    } catch (error) {
      if (error instanceof EndpointError && error.failure.retry === 'later') {
        const pauseMs = Math.min(error.failure.retryAfterMs ?? queryPauseMs, maxPauseMs);
        this.#failed = { error: error.failure.error, until: steadyNow() + pauseMs };
      }
      throw error;
    }
  }

  async #embedDocuments(inputs: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    const { batchSize } = this.#options;
    for (let start = 0; start < inputs.length; start += batchSize) {
      vectors.push(...(await this.#embedBatch(inputs.slice(start, start + batchSize))));
    }
    return vectors;
  }

  /** A batch that is refused as too large is halved, then its one text, so that one odd text stops no other. */
  async #embedBatch(inputs: readonly string[]): Promise<Float32Array[]> {
    try {
      return await this.#requestPatiently(inputs);
    } catch (error) {
      if (!(error instanceof EndpointError) || error.failure.retry !== 'smaller') throw error;
      const [only = ''] = inputs;
      if (inputs.length === 1 && only.length <= minCharacters) throw error;
      if (inputs.length === 1) return this.#embedBatch([acceptable(only.slice(0, only.length / 2))]);
      const middle = Math.ceil(inputs.length / 2);
      const first = await this.#embedBatch(inputs.slice(0, middle));
      return [...first, ...(await this.#embedBatch(inputs.slice(middle)))];
    }
  }

  async #requestPatiently(inputs: readonly string[]): Promise<Float32Array[]> {
    const { timeoutMs, firstPauseMs = defaultFirstPauseMs } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        return await this.#request(inputs, timeoutMs);
      } catch (error) {
        if (!(error instanceof EndpointError) || error.failure.retry !== 'later' || tries === maxTries) throw error;
        // Not all at one moment, where several processes wait for one endpoint.
        const backoffMs = firstPauseMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2);
        const pauseMs = Math.max(error.failure.retryAfterMs ?? 0, backoffMs);
        if (pauseMs > maxPauseMs) throw error;
        await this.#pause(pauseMs);
      }
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#closing;
    await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  async #request(input: readonly string[], timeoutMs: number): Promise<Float32Array[]> {
    const { model, dimensions } = this.#options;
    const vectors = await this.#client.post({
      body: { model, input, ...(dimensions !== undefined && { dimensions }) },
      timeoutMs,
      signal: this.#closing.signal,
      read: (body) => readVectors(body, input.length, this.#dimensions),
    });
    this.#dimensions = vectors[0]?.length ?? this.#dimensions;
    this.#failed = undefined;
    return vectors;
  }
}

/** Endpoints refuse halves of characters, which cutting leaves, and empty texts. */
function acceptable(text: string): string {
  return Buffer.from(text.slice(0, maxCharacters)).toString() || ' ';
}
