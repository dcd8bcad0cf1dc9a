import type { CatalogReader, SearchHit, SearchNote, SearchResult, ServerRecord, ServerState } from '../model/index.ts';
import * as notes from './notes.ts';
import type { RankingResult } from './ranking-result.ts';

interface Answer {
  ranking: RankingResult;
  confidence: SearchResult['confidence'];
  hits: readonly SearchHit[];
  serverId: string | undefined;
}

interface NotesDependencies {
  catalog: CatalogReader;
  servers: () => ServerRecord[];
  serverStates: () => ServerState[];
}

/** Decides which notes go with an answer. */
export class AnswerNotes {
  readonly #catalog: CatalogReader;
  readonly #serverStates: () => ServerState[];
  readonly #servers: () => ServerRecord[];

  constructor({ catalog, servers, serverStates }: NotesDependencies) {
    this.#catalog = catalog;
    this.#servers = servers;
    this.#serverStates = serverStates;
  }

  collect({ ranking, confidence, hits, serverId }: Answer): SearchNote[] {
    const servers = this.#servers().filter(({ id }) => serverId === undefined || id === serverId);
    const found = new Set(hits.map(({ server }) => server));
    return [
      ...this.#match(hits, confidence, serverId),
      ...notes.toolsSetAside(ranking.namedButSetAside.flatMap((id) => this.#catalog.tool(id) ?? [])),
      ...this.#embedding(ranking),
      ...notes.serversMissing(servers, this.#serverStates()),
      ...notes.serversStale(servers, found),
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

  #embedding({ embedding, vectors }: RankingResult): SearchNote[] {
    if (embedding === 'broken') return [notes.embeddingUnavailable];
    if (embedding === 'unreachable') return [notes.embeddingUnreachable];
    if (vectors !== undefined && vectors.embedded < vectors.texts) {
      return [notes.vectorsPending(vectors.embedded, vectors.texts)];
    }
    return embedding === 'loading' ? [notes.modelLoading] : [];
  }
}
