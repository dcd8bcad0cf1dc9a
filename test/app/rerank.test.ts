import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Rerank, rerankedSearcher } from '../../src/app/rerank.ts';
import type { SearchHit, SearchOptions, SearchResult, ToolSearcher } from '../../src/model/index.ts';
import { keepingLogger } from '../server/keeping-logger.ts';

const hitOf = (index: number): SearchHit => ({
  name: `s__tool_${index}`,
  server: 's',
  tool: `tool_${index}`,
  score: 1 / (index + 1),
  signature: `tool_${index}()`,
  summary: 'Does it.',
});

/** Gives so many hits, in pages. */
function searcherOf(total: number): ToolSearcher {
  return {
    search: async (query, { limit = 5, cursor = '0' }: SearchOptions = {}): Promise<SearchResult> => {
      const end = Number(cursor) + limit;
      const hits = Array.from({ length: total }, (_, index) => hitOf(index)).slice(Number(cursor), end);
      return { query, confidence: 'strong', hits, notes: [], ...(end < total ? { nextCursor: String(end) } : {}) };
    },
  };
}

/** What a log says. */
function logging() {
  const lines: string[] = [];
  return { lines, logger: keepingLogger((_, message) => lines.push(message)) };
}

const namesOf = ({ hits }: SearchResult) => hits.map(({ name }) => name);

/** The hits of all pages. */
async function allPages(searcher: ToolSearcher, options: SearchOptions): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (let cursor: string | undefined, page = 0; page < 100; page += 1) {
    const result = await searcher.search('q', { ...options, ...(cursor === undefined ? {} : { cursor }) });
    hits.push(...result.hits);
    cursor = result.nextCursor;
    if (cursor === undefined) return hits;
  }
  throw new Error('the pages do not end');
}

describe('a search that the host orders anew', () => {
  it('shows what the host puts first, of twenty', async () => {
    const seen: unknown[] = [];
    const rerank: Rerank = async (query, hits) => {
      seen.push(query, hits.length);
      return ['s__tool_17', { name: 's__tool_2' }];
    };
    const searcher = rerankedSearcher(searcherOf(30), { rerank, logger: keepingLogger() });
    expect(namesOf(await searcher.search('q', { limit: 4 }))).toEqual([
      's__tool_17',
      's__tool_2',
      's__tool_0',
      's__tool_1',
    ]);
    expect(seen).toEqual(['q', 20]);
  });

  it('loses no hit, makes none up and shows none twice, whatever the host says', async () => {
    const entry = fc.oneof(
      fc.integer({ min: 0, max: 40 }).map((index) => `s__tool_${index}`),
      fc.integer({ min: 0, max: 40 }).map((index) => ({ ...hitOf(index), signature: 'a lie' })),
      fc.constantFrom<unknown>(null, undefined, 3, {}, [], '__proto__', { name: 7 }),
    );
    const order = fc.oneof(fc.array(entry, { maxLength: 60 }), fc.constantFrom<unknown>(null, 'all', {}, 5));
    await fc.assert(
      fc.asyncProperty(order, fc.nat(45), fc.integer({ min: 1, max: 20 }), async (said, total, limit) => {
        const rerank = (async () => said) as Rerank;
        const searcher = rerankedSearcher(searcherOf(total), { rerank, logger: keepingLogger() });
        const hits = await allPages(searcher, { limit });
        const expected = Array.from({ length: total }, (_, index) => hitOf(index));
        expect([...hits].sort((a, b) => b.score - a.score)).toEqual(expected);
      }),
    );
  });

  it.each<[string, Rerank]>([
    ['fails', async () => Promise.reject(new Error('no model'))],
    [
      'throws',
      () => {
        throw new Error('no model');
      },
    ],
    ['never answers', () => new Promise(() => {})],
    ['answers with nothing', async () => undefined as never],
  ])('stays as it was where the host %s', async (_, rerank) => {
    const { logger, lines } = logging();
    const searcher = rerankedSearcher(searcherOf(30), { rerank, timeoutMs: 20, logger });
    expect(namesOf(await searcher.search('q', { limit: 2 }))).toEqual(['s__tool_0', 's__tool_1']);
    expect(lines.join()).toContain('hits keep their order');
  });

  it('tells the host that it is too late', async () => {
    let late: AbortSignal | undefined;
    const rerank: Rerank = (_, __, { signal }) => {
      late = signal;
      return new Promise(() => {});
    };
    await rerankedSearcher(searcherOf(3), { rerank, timeoutMs: 10, logger: keepingLogger() }).search('q');
    expect(late?.aborted).toBe(true);
  });

  it('is not what the host makes of its hits', async () => {
    const rerank: Rerank = async (_, hits) => {
      for (const hit of hits) Object.assign(hit, { signature: 'mine', name: 'mine' });
      (hits as SearchHit[]).splice(0);
      return [];
    };
    const searcher = rerankedSearcher(searcherOf(3), { rerank, logger: keepingLogger() });
    expect((await searcher.search('q')).hits).toEqual([0, 1, 2].map(hitOf));
  });

  it('asks for nothing where there is no choice', async () => {
    const rerank: Rerank = () => {
      throw new Error('asked');
    };
    const { logger, lines } = logging();
    expect(namesOf(await rerankedSearcher(searcherOf(1), { rerank, logger }).search('q'))).toEqual(['s__tool_0']);
    expect(lines).toEqual([]);
  });

  it('has cursors that are good for the same search alone', async () => {
    const rerank: Rerank = async () => [];
    const searcher = rerankedSearcher(searcherOf(30), { rerank, logger: keepingLogger() });
    const { nextCursor = '' } = await searcher.search('q');
    expect(namesOf(await searcher.search('q', { cursor: nextCursor }))[0]).toBe('s__tool_5');
    const stale = expect.objectContaining({ code: 'invalid_cursor' });
    await expect(searcher.search('other', { cursor: nextCursor })).rejects.toEqual(stale);
    await expect(searcher.search('q', { cursor: nextCursor, server: 's' })).rejects.toEqual(stale);
    await expect(searcher.search('q', { cursor: 'r_zz_1' })).rejects.toEqual(stale);
    await expect(searcher.search('q', { cursor: 'r_00_1' })).rejects.toEqual(stale);
  });
});
