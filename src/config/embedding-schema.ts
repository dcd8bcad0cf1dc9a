import { z } from 'zod';
import { choice, durationMs, text, whole } from './schema-parts.ts';

/** More values than any model gives, and the most that vectors are compared in. */
const dimensionsMax = 8_192;
/** What OpenAI takes at most is 2 048; each batch is also one write to the catalog. */
const batchMax = 512;
/** Someone waits for the answer to a query. */
const queryTimeoutMaxMs = 10_000;

const languages = choice('any', 'latin').default('any');
const prefix = z.string('a text').default('');

const builtIn = z.looseObject({ provider: choice('minilm', 'none') });

const transformers = z.looseObject({
  provider: z.literal('transformers'),
  model: text,
  revision: text.optional(),
  dtype: choice('fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4').default('q8'),
  pooling: choice('mean', 'cls').default('mean'),
  dimensions: whole('values', 1, dimensionsMax).optional(),
  queryPrefix: prefix,
  documentPrefix: prefix,
  languages,
  library: choice('@huggingface/transformers', '@xenova/transformers').optional(),
  libraryFolder: text.optional(),
  cacheFolder: text.optional(),
  allowDownload: z.boolean('true or false').default(true),
  hubUrl: text.optional(),
});

const openai = z.looseObject({
  provider: z.literal('openai'),
  baseUrl: text,
  model: text,
  apiKey: text.optional(),
  dimensions: whole('values', 1, dimensionsMax).optional(),
  queryPrefix: prefix,
  documentPrefix: prefix,
  languages,
  batchSize: whole('texts', 1, batchMax).default(32),
  timeoutMs: durationMs.default(30_000),
  queryTimeoutMs: whole('milliseconds', 1, queryTimeoutMaxMs).default(1_000),
});

/** `embedding` as a name alone: the providers that need nothing else. */
export const embeddingNameSchema = z.enum(
  ['minilm', 'none'],
  '"minilm", "none", or an object with a "provider" and its settings',
);

/** `embedding` as an object. */
export const embeddingSchema = z.discriminatedUnion('provider', [builtIn, transformers, openai], {
  error: ({ code }) =>
    code === 'invalid_union' ? 'one of "minilm", "none", "transformers", "openai"' : 'a text or an object',
});

export type TransformersValues = z.output<typeof transformers>;
export type OpenAiValues = z.output<typeof openai>;

/** The keys that mean something, by provider. */
export const embeddingKeys = {
  minilm: Object.keys(builtIn.shape),
  none: Object.keys(builtIn.shape),
  transformers: Object.keys(transformers.shape),
  openai: Object.keys(openai.shape),
};
