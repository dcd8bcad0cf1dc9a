import { ToolcribError } from '../errors/index.ts';
import type { SearchArm, SearchDetail, SearchOptions } from '../model/index.ts';

const minLimit = 1;
const maxLimit = 20;
const defaultLimit = 5;

const arms: readonly SearchArm[] = ['hybrid', 'lexical', 'embedding'];
const details: readonly SearchDetail[] = ['name', 'summary', 'schema'];

/** Search options with all defaults filled in. */
export interface CheckedOptions {
  limit: number;
  detail: SearchDetail;
  arm: SearchArm;
  explain: boolean;
  server: string | undefined;
  cursor: string | undefined;
}

/** @throws ToolcribError `invalid_arguments` naming the option, what was expected and what came. */
export function checkOptions(query: string, options: SearchOptions): CheckedOptions {
  if (typeof query !== 'string' || query.trim() === '') {
    throw invalid('query', 'a text that says what is sought', query);
  }
  const { limit = defaultLimit, detail = 'summary', arm = 'hybrid', explain = false, server, cursor } = options;
  if (!Number.isInteger(limit) || limit < minLimit || limit > maxLimit) {
    throw invalid('limit', `a whole number from ${minLimit} to ${maxLimit}`, limit);
  }
  if (!details.includes(detail)) throw invalid('detail', `one of ${details.join(', ')}`, detail);
  if (!arms.includes(arm)) throw invalid('arm', `one of ${arms.join(', ')}`, arm);
  if (server !== undefined && typeof server !== 'string') throw invalid('server', 'a server id', server);
  if (cursor !== undefined && typeof cursor !== 'string')
    throw invalid('cursor', 'the nextCursor of an answer', cursor);
  return { limit, detail, arm, explain, server: server?.trim() || undefined, cursor };
}

function invalid(option: string, expected: string, actual: unknown): ToolcribError {
  return new ToolcribError(
    'invalid_arguments',
    `search: ${option} must be ${expected}; got ${JSON.stringify(actual) ?? String(actual)}.`,
    { next: `Search again with ${option} as ${expected}.`, details: { option } },
  );
}
