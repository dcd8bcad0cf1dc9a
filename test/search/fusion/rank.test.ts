import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cosines, type Evidence, rank } from '../../../src/search/fusion/rank.ts';

function evidence(parts: Partial<Evidence>): Evidence {
  return {
    keywords: new Map(),
    coverage: new Map(),
    cosines: () => undefined,
    names: new Map(),
    embeddingShare: 0,
    keywordShare: 1,
    ...parts,
  };
}

function cosinesFrom(values: Record<number, number>): (key: number) => Cosines | undefined {
  return (key) => {
    const value = values[key];
    return value === undefined ? undefined : { whole: value, clause: value, name: value };
  };
}

const order = (candidates: number[], parts: Partial<Evidence>) =>
  rank(candidates, evidence(parts)).map(({ toolKey }) => toolKey);

describe('rank', () => {
  it('orders by keywords where there are no vectors', () => {
    expect(
      order([1, 2, 3], {
        keywords: new Map([
          [1, 0.2],
          [2, 1],
          [3, 0.5],
        ]),
      }),
    ).toEqual([2, 3, 1]);
  });

  it('lets meaning and keywords both count', () => {
    const keywords = new Map([
      [1, 1],
      [2, 0.9],
    ]);
    expect(order([1, 2], { keywords, cosines: cosinesFrom({ 1: 0.2, 2: 0.6 }), embeddingShare: 1 })).toEqual([2, 1]);
  });

  it('puts names first: same case, any style, mentioned, then the rest', () => {
    const keywords = new Map([
      [1, 1],
      [2, 0],
      [3, 0],
      [4, 0],
    ]);
    const names = new Map([
      [2, 'mention'],
      [3, 'exactCase'],
      [4, 'anyStyle'],
    ] as const);
    expect(order([1, 2, 3, 4], { keywords, names })).toEqual([3, 4, 2, 1]);
  });

  it('keeps the order of the candidates for equal scores', () => {
    expect(order([3, 1, 2], {})).toEqual([3, 1, 2]);
  });

  it('does not sink a tool for having no vector yet', () => {
    const keywords = new Map([
      [1, 1],
      [2, 0.5],
      [3, 0.1],
    ]);
    const ranked = order([1, 2, 3], { keywords, cosines: cosinesFrom({ 2: 0.5, 3: 0.1 }), embeddingShare: 1 });
    expect(ranked).toEqual([1, 2, 3]);
  });

  it('never lets anything but a name outrank a name, and has parts that sum to the score', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, cosine, share, share, (keyword, covered, near, embeddingShare, keywordShare) => {
        const ranked = rank(
          [1, 2],
          evidence({
            keywords: new Map([
              [1, keyword],
              [2, 0],
            ]),
            coverage: new Map([
              [1, covered],
              [2, 0],
            ]),
            cosines: cosinesFrom({ 1: near, 2: -1 }),
            names: new Map([[2, 'mention']]),
            embeddingShare,
            keywordShare,
          }),
        );
        expect(ranked[0]?.toolKey).toBe(2);
        for (const { score, parts } of ranked) {
          expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 10);
        }
      }),
    );
  });
});
