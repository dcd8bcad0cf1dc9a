import { toUnitLength } from './pooling.ts';

/** The answer of an endpoint is not what was asked for. The message holds no text of the endpoint. */
export class BadAnswerError extends Error {
  override readonly name = 'BadAnswerError';
}

/** More values than any model gives, and the most that vectors are compared in. */
const maxDimensions = 8_192;

/**
 * The vectors in the body of an OpenAI `/v1/embeddings` answer, in the order of the texts, scaled to unit length. Values
 * may come as numbers or as base64 of little-endian 32-bit floats.
 *
 * @throws BadAnswerError for another shape, another number of vectors, or vectors of other sizes than `dimensions`
 * (0: of one size).
 */
export function readVectors(body: unknown, count: number, dimensions: number): Float32Array[] {
  const data = property(body, 'data');
  if (!Array.isArray(data)) throw new BadAnswerError('it holds no list "data"');
  if (data.length !== count) throw new BadAnswerError(`it holds ${data.length} vectors for ${count} texts`);
  const vectors = inOrder(data).map((entry) => readVector(property(entry, 'embedding')));
  const expected = dimensions || (vectors[0]?.length ?? 0);
  const odd = vectors.find((vector) => vector.length !== expected);
  if (odd !== undefined) throw new BadAnswerError(`it holds a vector of ${odd.length} values, expected ${expected}`);
  return vectors;
}

/** By `index`, where every entry has one of its own; else as they came. */
function inOrder(data: readonly unknown[]): readonly unknown[] {
  const byIndex = new Map(data.map((entry) => [property(entry, 'index'), entry]));
  const ordered = data.map((_, index) => byIndex.get(index));
  return ordered.includes(undefined) ? data : ordered;
}

function readVector(embedding: unknown): Float32Array {
  const values = typeof embedding === 'string' ? fromBase64(embedding) : embedding;
  if (!(values instanceof Float32Array) && !isNumbers(values)) {
    throw new BadAnswerError('an "embedding" in it is no list of numbers');
  }
  if (values.length === 0 || values.length > maxDimensions) {
    throw new BadAnswerError(`it holds a vector of ${values.length} values`);
  }
  const vector = Float32Array.from(values);
  if (!vector.every(Number.isFinite)) throw new BadAnswerError('a vector in it holds a value that is no number');
  return toUnitLength(vector);
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'number');
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const size = Float32Array.BYTES_PER_ELEMENT;
  return Float32Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => bytes.readFloatLE(index * size));
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
