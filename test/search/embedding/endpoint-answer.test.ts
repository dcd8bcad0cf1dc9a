import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BadAnswerError, readVectors } from '../../../src/search/embedding/endpoint-answer.ts';

const entry = (index: number, embedding: unknown) => ({ object: 'embedding', index, embedding });

describe('readVectors', () => {
  it('puts vectors in the order of the texts', () => {
    const vectors = readVectors({ data: [entry(1, [0, 2]), entry(0, [3, 0])] }, 2, 0);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it.each([
    ['no index', [{ embedding: [1, 0] }, { embedding: [0, 1] }]],
    ['one index twice', [entry(0, [1, 0]), entry(0, [0, 1])]],
    ['other indexes', [entry(7, [1, 0]), entry(8, [0, 1])]],
  ])('takes them as they come with %s', (_, data) => {
    expect(readVectors({ data }, 2, 2).map((vector) => [...vector])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('reads base64, which some endpoints send unasked', () => {
    const bytes = Buffer.from(Float32Array.of(0, 3, 4).buffer).toString('base64');
    expect([...(readVectors({ data: [entry(0, bytes)] }, 1, 3)[0] ?? [])].map((value) => value.toFixed(3))).toEqual([
      '0.000',
      '0.600',
      '0.800',
    ]);
  });

  it('takes no vectors of two sizes', () => {
    expect(() => readVectors({ data: [entry(0, [1]), entry(1, [1, 2])] }, 2, 0)).toThrow(
      'a vector of 2 values, expected 1',
    );
  });

  it('gives unit vectors, or one kind of error, whatever comes', () => {
    const anything = fc.oneof(fc.array(fc.oneof(fc.double(), fc.anything())), fc.anything());
    fc.assert(
      fc.property(
        fc.oneof(fc.record({ data: fc.array(fc.record({ embedding: anything })) }), fc.anything()),
        (body) => {
          try {
            for (const vector of readVectors(body, 1, 0)) {
              const length = Math.hypot(...vector);
              expect(length === 0 || Math.abs(length - 1) < 1e-3).toBe(true);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(BadAnswerError);
          }
        },
      ),
    );
  });
});
