import { LRUCache } from 'lru-cache';
import type {
  CatalogReader,
  CatalogView,
  Embedder,
  KeywordIndex,
  Logger,
  SearchHit,
  SearchOptions,
  SearchResult,
  ServerRecord,
  ServerState,
  Tool,
  ToolSearcher,
  VectorStore,
} from '../model/index.ts';
import { asOf } from '../render/index.ts';
import { AnswerNotes } from './answer-notes.ts';
import { confidenceOf, isHopeless, weakHitLimit } from './confidence.ts';
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.ts';
import { GenerationCache } from './generation-cache.ts';
import { type CheckedOptions, checkOptions } from './options.ts';
import { shippedRanker } from './ranker/ranker.ts';
import type { Ranked } from './ranker/score.ts';
import { Ranking, type RankingRequest } from './ranking.ts';

export interface SearcherDependencies {
  catalog: CatalogReader;
  keywords: KeywordIndex;
  vectors: VectorStore;
  /** Without one, search works by keywords alone. */
  embedder?: Embedder;
  /** The live states, for notes about servers that are missing. */
  serverStates: () => ServerState[];
  /** How a hit is shown. */
  describeHit: (tool: Tool) => { signature: string; summary: string };
  logger: Logger;
}

/**
 * Ranked search over the catalog. Never waits for servers or for the embedding of tools; the model's own start is waited
 * for, within a limit, only when all vectors are there.
 */
export function createToolSearcher(dependencies: SearcherDependencies): ToolSearcher {
  return new Searcher(dependencies);
}

/** Tools whose shown form is kept, some hundred bytes each: reading a large definition takes longer than ranking it. */
const shownTools = 2_000;

type ShownTool = Pick<SearchHit, 'name' | 'server' | 'tool' | 'signature' | 'summary' | 'status' | 'findings'>;

/** Hits of an unlimited search that may belong to other servers. */
const othersLookedAt = 3;

/** Callers of the same scope share one. */
const viewsMax = 100;

/** A catalog, or the part of it that a caller may know of, with what is kept of it for one generation. */
class Sight {
  readonly catalog: CatalogReader | CatalogView;
  readonly notes: AnswerNotes;
  readonly #servers = new GenerationCache<ServerRecord[]>();
  readonly #shown = new GenerationCache<LRUCache<number, ShownTool>>();

  constructor(catalog: CatalogReader | CatalogView, serverStates: () => ServerState[]) {
    this.catalog = catalog;
    this.notes = new AnswerNotes({ catalog, serverStates, servers: () => this.servers, isPart: 'keys' in catalog });
  }

  get servers(): ServerRecord[] {
    return this.#servers.get(String(this.catalog.generation()), () => this.catalog.servers());
  }

  get shown(): LRUCache<number, ShownTool> {
    return this.#shown.get(String(this.catalog.generation()), () => new LRUCache({ max: shownTools }));
  }

  /** The id in its own case; null when there is no such server. */
  resolveServer(asked: string | undefined): string | null | undefined {
    if (asked === undefined) return undefined;
    const lower = asked.toLowerCase();
    const { servers } = this;
    const found = servers.find(({ id }) => id === asked) ?? servers.find(({ id }) => id.toLowerCase() === lower);
    return found?.id ?? null;
  }
}

function unknownServer({ notes }: Sight, query: string, asked: string): SearchResult {
  return { query, confidence: 'weak', hits: [], notes: notes.unknownServer(asked) };
}

class Searcher implements ToolSearcher {
  readonly #dependencies: SearcherDependencies;
  readonly #whole: Sight;
  /** By the key of a view. */
  readonly #partial = new LRUCache<string, Sight>({ max: viewsMax });
  #rankingMade: Ranking | undefined;

  constructor(dependencies: SearcherDependencies) {
    this.#dependencies = dependencies;
    this.#whole = new Sight(dependencies.catalog, dependencies.serverStates);
  }

  /** @throws ToolcribError `invalid_arguments`, `invalid_cursor`. */
  async search(query: string, options?: SearchOptions | null, view?: CatalogView): Promise<SearchResult> {
    const checked = checkOptions(query, options ?? {});
    const { catalog } = this.#dependencies;
    const sight = this.#sightOf(view);
    const scope: CursorScope = {
      query,
      server: checked.server,
      arm: checked.arm,
      view: view?.key ?? '',
      generation: catalog.generation(),
    };
    const offset = checked.cursor === undefined ? 0 : decodeCursor(scope, checked.cursor);
    const serverId = sight.resolveServer(checked.server);
    if (serverId === null) return unknownServer(sight, query, checked.server ?? '');

    const found = await this.#ranking.run(query, { arm: checked.arm, serverId, view });
    const ranking = isHopeless(found) ? { ...found, ranked: [] } : found;
    const confidence = confidenceOf(ranking);
    const shown = confidence === 'weak' && offset === 0 ? Math.min(checked.limit, weakHitLimit) : checked.limit;
    const page = ranking.ranked.slice(offset, offset + shown);
    const hits = this.#hits(sight, page, checked);
    const end = offset + page.length;
    return {
      query,
      confidence,
      hits,
      notes: sight.notes.collect({
        ranking,
        confidence,
        hits,
        serverId,
        otherServers:
          serverId === undefined ? [] : await this.#otherServers(query, { arm: checked.arm, view }, serverId),
        query,
      }),
      ...(end < ranking.ranked.length ? { nextCursor: encodeCursor(scope, end) } : {}),
    };
  }

  /** Made at the first search: the ranker's files are not read by a command that searches nothing. */
  get #ranking(): Ranking {
    this.#rankingMade ??= new Ranking({ ...this.#dependencies, ranker: shippedRanker() });
    return this.#rankingMade;
  }

  /** Servers whose tools come before the first one of this server when all are searched. */
  async #otherServers(query: string, request: Omit<RankingRequest, 'serverId'>, serverId: string): Promise<string[]> {
    const everywhere = await this.#ranking.run(query, { ...request, serverId: undefined });
    if (confidenceOf(everywhere) === 'weak') return [];
    const first = everywhere.ranked.slice(0, othersLookedAt);
    const tools = this.#dependencies.catalog.toolsByKeys(first.map(({ toolKey }) => toolKey));
    const end = tools.findIndex((tool) => tool.serverId === serverId);
    return [...new Set(tools.slice(0, end === -1 ? tools.length : end).map((tool) => tool.serverId))];
  }

  #sightOf(view: CatalogView | undefined): Sight {
    if (view === undefined) return this.#whole;
    const known = this.#partial.get(view.key);
    if (known?.catalog === view) return known;
    const sight = new Sight(view, this.#dependencies.serverStates);
    this.#partial.set(view.key, sight);
    return sight;
  }

  #hits(sight: Sight, page: readonly Ranked[], { detail, explain }: CheckedOptions): SearchHit[] {
    const { describeHit } = this.#dependencies;
    const { catalog, shown: known } = sight;
    const isRead = ({ toolKey }: Ranked) => detail === 'schema' || !known.has(toolKey);
    const tools = catalog.toolsByKeys(page.filter(isRead).map(({ toolKey }) => toolKey));
    const byKey = new Map(tools.map((tool) => [tool.key, tool]));
    const servers = new Map(sight.servers.map((server) => [server.id, server]));
    for (const tool of tools) {
      const { exposedName: name, serverId: server, toolName, status, findings } = tool;
      // Held back since it was ranked, or by a scan that was made as it was read.
      if (status === 'quarantined' || status === 'set_aside') continue;
      known.set(tool.key, {
        name,
        server,
        tool: toolName,
        ...describeHit(tool),
        ...(status === 'changed' && { status }),
        ...(findings && { findings }),
      });
    }
    return page.flatMap(({ toolKey, score, parts }) => {
      const shown = known.get(toolKey);
      // Removed by another process between ranking and reading, or held back.
      if (shown === undefined) return [];
      const { signature, summary, ...rest } = shown;
      const isNameOnly = detail === 'name';
      const inputSchema = byKey.get(toolKey)?.inputSchema;
      return {
        ...rest,
        score,
        signature: isNameOnly ? '' : signature,
        summary: isNameOnly ? '' : summary,
        ...asOf(servers.get(rest.server)),
        ...(detail === 'schema' && inputSchema !== undefined ? { inputSchema } : {}),
        ...(explain ? { explain: parts() } : {}),
      };
    });
  }
}
