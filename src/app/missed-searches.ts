import { messageOf } from '../errors/index.ts';
import type { Logger, MissedSearches, ToolSearcher } from '../model/index.ts';
import type { Redactor } from '../telemetry/index.ts';

export interface MissDeps {
  misses: MissedSearches;
  redactor: Pick<Redactor, 'text'>;
  logger: Logger;
}

/** Notes each search that finds nothing, masked, once its answer is on the way. What cannot be written is let go. */
export function notingMisses(searcher: ToolSearcher, deps: MissDeps): ToolSearcher {
  return {
    search: async (query, options, view) => {
      const result = await searcher.search(query, options, view);
      if (result.hits.length === 0 && options?.cursor === undefined) setImmediate(note, query, deps);
      return result;
    },
  };
}

function note(query: string, { misses, redactor, logger }: MissDeps): void {
  try {
    misses.note(redactor.text(query));
  } catch (error) {
    logger.debug('A search that found nothing was not noted.', { error: messageOf(error) });
  }
}
