import { BenchError } from './bench-error.ts';
import { readLines } from './load-tools.ts';

/** A query with its gold groups: finding any member of a group fulfils that group. */
export interface LabelledQuery {
  id: string;
  query: string;
  lang: string;
  category: string;
  /** Empty when no tool fits. */
  groups: string[][];
  /** Tools of grade 1: not what is asked for, but no mistake either. */
  helpful: string[];
}

/**
 * Reads labelled queries. `relevant`: each entry is a group (a list is any-of). `gold`: with `need`, each step is a
 * group; without it all grade-2 tools together are one group.
 */
export function loadQueries(file: string): LabelledQuery[] {
  return readLines(file)
    .map((row, index) => checked(row, `${file}, row ${index + 1}`))
    .map((row) => ({
      id: String(row.id),
      query: String(row.query),
      lang: typeof row.lang === 'string' ? row.lang : 'en',
      category: typeof row.category === 'string' ? row.category : 'all',
      groups: groupsOf(row),
      helpful: ((row.gold ?? []) as Gold[]).filter(({ grade }) => grade === 1).map(({ tool }) => tool),
    }));
}

/** A row without a query would be asked as something else, and one without labels would count as unanswerable. */
function checked(row: Record<string, unknown>, where: string): Record<string, unknown> {
  if (typeof row.query !== 'string' || row.query.trim() === '') throw new BenchError(`${where} has no query.`);
  if (!Array.isArray(row.relevant) && !Array.isArray(row.gold)) {
    throw new BenchError(`${where} has neither relevant nor gold; for a query that no tool fits, give an empty list.`);
  }
  return row;
}

interface Gold {
  tool: string;
  grade: number;
}

function groupsOf(row: Record<string, unknown>): string[][] {
  if (Array.isArray(row.relevant)) {
    return row.relevant.map((entry: string | string[]) => (Array.isArray(entry) ? entry : [entry]));
  }
  if (Array.isArray(row.need) && row.need.length > 0) return row.need as string[][];
  const right = ((row.gold ?? []) as Gold[]).filter(({ grade }) => grade === 2).map(({ tool }) => tool);
  return right.length > 0 ? [right] : [];
}
