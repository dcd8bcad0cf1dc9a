import { LRUCache } from 'lru-cache';
import type { CallOptions, CallToolResult, DispatchOptions, SearchMemory, ToolSource } from '../model/index.ts';

/** Searches of one conversation that are remembered. */
const searchesKept = 500;

export interface ConversationDeps {
  source: ToolSource;
  dispatch(name: string, args: unknown, options: DispatchOptions): Promise<CallToolResult>;
  /** For calls that bring none of their own. */
  defaults: CallOptions;
}

/** The tools as one conversation uses them: it remembers what its model has searched for. */
export function startConversation({ source, dispatch, defaults }: ConversationDeps): ToolSource {
  const searches = new RecentSearches();
  return {
    tools: (options) => source.tools(options),
    listTools: (options) => source.listTools(options),
    testPolicy: (name, options) => {
      const { principal: caller } = defaults;
      return source.testPolicy(name, caller === undefined ? options : { caller, ...options });
    },
    call: (name, args, options) => dispatch(name, args ?? {}, { ...defaults, ...options, searches }),
  };
}

/** Searches are the same when they hold the same words, in whatever order and spelling of case. */
class RecentSearches implements SearchMemory {
  readonly #best = new LRUCache<string, string>({ max: searchesKept });

  isRepeated(search: { query: string; server?: string; detail?: string }, bestName: string): boolean {
    const { query, server = '', detail = 'summary' } = search;
    const key = JSON.stringify([wordsOf(query), server.toLowerCase(), detail]);
    const isRepeated = this.#best.get(key) === bestName;
    this.#best.set(key, bestName);
    return isRepeated;
  }
}

function wordsOf(query: string): string[] {
  const words = query
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [query];
  return [...new Set(words)].sort();
}
