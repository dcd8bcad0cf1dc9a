import type { CaseOutcome, SearchResult, ToolSearcher } from '../../model/index.ts';
import type { ResolvedCase } from './resolve-cases.ts';

/** Hits that are looked at: the most that a search gives at once. */
export const ranksMax = 20;
const shownHits = 5;

/** Searches for each case as a model would, and notes where the right tools came. */
export async function searchCase(one: ResolvedCase, searcher: Pick<ToolSearcher, 'search'>): Promise<JudgedCase> {
  return judge(one, await searcher.search(one.query, { limit: ranksMax, detail: 'name' }));
}

/** An outcome, with the place of each expected tool for recall. */
export interface JudgedCase {
  outcome: CaseOutcome;
  /** One for each expected tool; undefined where it was not found. */
  ranks: (number | undefined)[];
  hits: number;
}

export function judge(one: ResolvedCase, { hits, confidence }: SearchResult): JudgedCase {
  const names = hits.map(({ name }) => name);
  const accepted = firstRank(names, one.accept);
  // An accepted alternative stands for all that is expected.
  const ranks = one.expect.map((name) => least(rankOf(names, name), accepted));
  const rank = ranks.reduce(least, undefined);
  const wrong = firstRank(names, one.not);
  const taken = wrong !== undefined && (rank === undefined || wrong < rank);
  const { id, kind, query, file, line, expect: expected } = one;
  const found = names.slice(0, shownHits);
  return {
    outcome: {
      id,
      kind,
      query,
      file,
      line,
      expected,
      ...(rank === undefined ? {} : { rank }),
      found,
      confidence,
      ...(one.not.length === 0 ? {} : { taken }),
    },
    ranks,
    hits: hits.length,
  };
}

/** From 1. */
export function rankOf(names: readonly string[], name: string): number | undefined {
  const at = names.indexOf(name);
  return at === -1 ? undefined : at + 1;
}

export function firstRank(names: readonly string[], wanted: readonly string[]): number | undefined {
  return wanted.map((name) => rankOf(names, name)).reduce(least, undefined);
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}
