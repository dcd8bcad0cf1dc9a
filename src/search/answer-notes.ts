import type { CatalogReader, SearchHit, SearchNote, SearchResult, ServerRecord, ServerState } from '../model/index.ts';
import { catalogLanguage, scriptLanguage } from './catalog-language.ts';
import { GenerationCache } from './generation-cache.ts';
import * as notes from './notes.ts';
import type { RankingResult } from './ranking-result.ts';

interface Answer {
  ranking: RankingResult;
  confidence: SearchResult['confidence'];
  hits: readonly SearchHit[];
  serverId: string | undefined;
  /** Other servers with hits that are as good, where one was asked for. */
  otherServers: readonly string[];
  query: string;
}

interface NotesDependencies {
  catalog: CatalogReader;
  servers: () => ServerRecord[];
  serverStates: () => ServerState[];
  /** True where the reader may know of part of the catalog alone. */
  isPart: boolean;
}

/** Decides which notes go with an answer. */
export class AnswerNotes {
  readonly #catalog: CatalogReader;
  readonly #serverStates: () => ServerState[];
  readonly #servers: () => ServerRecord[];
  readonly #isPart: boolean;
  readonly #spoken = new GenerationCache<string | undefined>();

  constructor({ catalog, servers, serverStates, isPart }: NotesDependencies) {
    this.#catalog = catalog;
    this.#servers = servers;
    this.#serverStates = serverStates;
    this.#isPart = isPart;
  }

  collect({ ranking, confidence, hits, serverId, otherServers, query }: Answer): SearchNote[] {
    const servers = this.#servers().filter(({ id }) => serverId === undefined || id === serverId);
    const found = new Set(hits.map(({ server }) => server));
    return [
      ...this.#match(hits, confidence, serverId),
      ...(confidence === 'weak' ? this.#language(query) : []),
      ...(serverId !== undefined && otherServers.length > 0 ? [notes.otherServers(otherServers, serverId)] : []),
      ...notes.toolsSetAside(ranking.namedButSetAside.flatMap((id) => this.#catalog.tool(id) ?? [])),
      ...this.#embedding(ranking),
      ...notes.serversMissing(servers, this.#serverStates()),
      ...notes.serversStale(servers, found),
      ...notes.serversUnavailable(this.#serverStates(), found),
    ];
  }

  unknownServer(asked: string): SearchNote[] {
    return [notes.serverUnknown(asked, this.#servers())];
  }

  #match(hits: readonly SearchHit[], confidence: Answer['confidence'], serverId: string | undefined): SearchNote[] {
    if (hits.length > 0) return confidence === 'weak' ? [notes.weakMatch] : [];
    const isEmpty = this.#servers().every(({ toolCount }) => toolCount === 0);
    return [isEmpty ? notes.catalogEmpty : notes.noMatch(serverId)];
  }

  #language(query: string): SearchNote[] {
    const asked = scriptLanguage(query);
    if (asked === undefined) return [];
    const spoken = this.#spoken.get(String(this.#catalog.generation()), () => catalogLanguage(this.#catalog));
    return spoken === undefined || spoken === asked ? [] : [notes.otherLanguage(spoken)];
  }

  #embedding({ embedding, vectors }: RankingResult): SearchNote[] {
    if (embedding === 'broken') return [notes.embeddingUnavailable];
    if (embedding === 'unreachable') return [notes.embeddingUnreachable];
    if (vectors !== undefined && vectors.embedded < vectors.texts) {
      return [this.#isPart ? notes.someVectorsPending : notes.vectorsPending(vectors.embedded, vectors.texts)];
    }
    return embedding === 'loading' ? [notes.modelLoading] : [];
  }
}
