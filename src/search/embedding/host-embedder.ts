import { messageOf, ToolcribError } from '../../errors/index.ts';
import { abortable, type Embedder } from '../../model/index.ts';
import { BadAnswerError, readVectors } from './endpoint-answer.ts';
import { closedError } from './local-embedder.ts';

/** Vectors by a function of the program around us. */
export interface HostEmbedding {
  /** Names whatever decides a vector: model, revision, prefixes. Another name embeds the catalog anew. */
  model: string;
  /** One vector a text, in their order, all of one size; toolcrib scales them to unit length. */
  embed(
    texts: readonly string[],
    kind: 'query' | 'document',
    options: { signal: AbortSignal },
  ): Promise<readonly (readonly number[] | Float32Array)[]>;
  /** What the model reads: `latin` leaves text in other scripts to the keywords. Default `any`. */
  languages?: 'any' | 'latin';
}

/** A search goes on by keywords after this. */
const queryTimeoutMs = 1_000;
/** The background work tries again later after this. */
const documentTimeoutMs = 60_000;
const documentBatch = 32;

/**
 * An embedder over the host's function, which may fail, be late or answer wrongly. `embed` rejects with
 * `embedding_endpoint_unavailable` (later may be better), `embedding_endpoint_refused` (the function is wrong), `closed`.
 */
export function createHostEmbedder(host: HostEmbedding): Embedder {
  const closing = new AbortController();
  let dimensions = 0;
  const run = async (texts: readonly string[], kind: 'query' | 'document') => {
    closing.signal.throwIfAborted();
    if (texts.length === 0) return [];
    const timeout = AbortSignal.timeout(kind === 'query' ? queryTimeoutMs : documentTimeoutMs);
    const signal = AbortSignal.any([closing.signal, timeout]);
    const embedding = await abortable(
      (async () => host.embed([...texts], kind, { signal }))(),
      signal,
      () => signal.reason,
    ).catch((error) => {
      closing.signal.throwIfAborted();
      throw unavailable(error);
    });
    const vectors = read(embedding, texts.length, dimensions);
    dimensions = vectors[0]?.length ?? dimensions;
    return vectors;
  };
  return {
    id: `host/${host.model}`,
    get dimensions() {
      return dimensions;
    },
    readsAllScripts: host.languages !== 'latin',
    documentBatch,
    queryTimeoutMs,
    ready: async () => closing.signal.throwIfAborted(),
    embed: run,
    close: async () => closing.abort(closedError()),
  };
}

function read(embedding: unknown, count: number, dimensions: number): Float32Array[] {
  const data = Array.isArray(embedding) ? embedding.map((vector: unknown) => ({ embedding: vector })) : undefined;
  try {
    return readVectors({ data }, count, dimensions);
  } catch (error) {
    if (!(error instanceof BadAnswerError)) throw error;
    throw new ToolcribError(
      'embedding_endpoint_refused',
      `What the "embed" function gave is no answer: ${error.message}.`,
      {
        next: 'Give one list of numbers for each text, all of one length; search goes on by keywords.',
      },
    );
  }
}

function unavailable(error: unknown): ToolcribError {
  return new ToolcribError('embedding_endpoint_unavailable', `The "embed" function failed: ${messageOf(error)}.`, {
    next: 'Look into the function; search goes on by keywords until it works.',
    cause: error,
  });
}
