import type {
  CatalogReader,
  Embedder,
  KeywordIndex,
  Logger,
  SearchArm,
  ToolId,
  ToolName,
  VectorStore,
} from '../model/index.ts';
import { QueryEmbedder } from './embedding/query-embedder.ts';
import { VectorScan } from './embedding/vector-scan.ts';
import { type Evidence, type Ranked, rank } from './fusion/rank.ts';
import { topIndexes } from './fusion/top-indexes.ts';
import { columnWeights } from './fusion/weights.ts';
import { GenerationCache } from './generation-cache.ts';
import { splitClauses } from './query/clauses.ts';
import { NameIndex } from './query/name-index.ts';
import { queryTerms } from './query/query-terms.ts';
import { readableShare } from './query/readable-share.ts';

/** A ranking and what confidence and notes are decided from. */
export interface RankingResult {
  ranked: Ranked[];
  /** Highest cosine of the whole query with any tool; 0 without embeddings. */
  bestCosine: number;
  /** `used`, or why the ranking went without. */
  embedding: 'used' | 'off' | 'loading' | 'broken';
  coverage: { texts: number; embedded: number } | undefined;
  /** Tools that the query names in full and that cannot be called. */
  namedButSetAside: ToolId[];
}

export interface RankingRequest {
  arm: SearchArm;
  serverId: string | undefined;
}

interface RankingDependencies {
  catalog: CatalogReader;
  keywords: KeywordIndex;
  vectors: VectorStore;
  embedder?: Embedder;
  logger: Logger;
}

/** Candidates that each arm puts up: the right tool is among them for 98 of 100 labelled queries. */
const candidatesPerArm = 200;

interface Names {
  index: NameIndex;
  byKey: Map<number, ToolName>;
}

interface Semantics {
  scan: VectorScan;
  whole: Float32Array;
  clause: Float32Array;
}

/** Brings keyword index, vectors and names together for one query. */
export class Ranking {
  readonly #catalog: CatalogReader;
  readonly #keywords: KeywordIndex;
  readonly #vectors: VectorStore;
  readonly #queryEmbedder: QueryEmbedder;
  readonly #names = new GenerationCache<Names>();
  readonly #scan = new GenerationCache<VectorScan>();
  readonly #coverage = new GenerationCache<{ texts: number; embedded: number }>();

  constructor({ catalog, keywords, vectors, embedder, logger }: RankingDependencies) {
    this.#catalog = catalog;
    this.#keywords = keywords;
    this.#vectors = vectors;
    this.#queryEmbedder = new QueryEmbedder(embedder, logger);
  }

  async run(query: string, { arm, serverId }: RankingRequest): Promise<RankingResult> {
    const semantics = arm === 'lexical' ? 'off' : await this.#semantics(query, arm);
    const names = this.#currentNames();
    const onServer = (toolKey: number) => serverId === undefined || names.byKey.get(toolKey)?.serverId === serverId;
    const keywords = arm === 'embedding' ? new Map<number, number>() : this.#keywordScores(query, serverId);
    const named = [...names.index.find(query)].filter(([toolKey]) => onServer(toolKey));
    const evidence: Evidence = {
      keywords,
      names: new Map(named.filter(([, { name }]) => isCallable(name)).map(([key, { match }]) => [key, match])),
      cosines: typeof semantics === 'string' ? () => undefined : cosinesOf(semantics),
      embeddingShare: typeof semantics === 'string' ? 0 : readableShare(query),
      keywordShare: arm === 'embedding' ? 0 : 1,
    };
    const nearest = typeof semantics === 'string' ? [] : nearestTools(semantics, onServer);
    const candidates = [...new Set([...evidence.names.keys(), ...keywords.keys(), ...nearest])];
    return {
      ranked: rank(this.#inNameOrder(candidates, names), evidence),
      bestCosine: nearest.reduce((best, key) => Math.max(best, evidence.cosines(key)?.whole ?? 0), 0),
      embedding: typeof semantics === 'string' ? semantics : 'used',
      coverage: arm === 'lexical' ? undefined : this.#currentCoverage(),
      namedButSetAside: named.flatMap(([, { name, match }]) => (isCallable(name) || match === 'mention' ? [] : name)),
    };
  }

  async #semantics(query: string, arm: SearchArm): Promise<Semantics | 'off' | 'loading' | 'broken'> {
    const modelId = this.#queryEmbedder.modelId;
    if (modelId === undefined) return 'off';
    const coverage = this.#currentCoverage();
    const isComplete = coverage !== undefined && coverage.embedded >= coverage.texts;
    const clauses = splitClauses(query);
    const embedded = await this.#queryEmbedder.embed([query, ...clauses], isComplete || arm === 'embedding');
    if ('unavailable' in embedded) return embedded.unavailable;
    const scan = this.#scan.get(this.#vectorGeneration(), () => new VectorScan(this.#vectors.matrix(modelId)));
    const [whole, ...parts] = embedded.vectors.map((vector) => scan.cosines(vector));
    if (whole === undefined || whole.length === 0) return 'loading';
    return { scan, whole, clause: parts.length === 0 ? whole : highest(parts) };
  }

  #keywordScores(query: string, serverId: string | undefined): Map<number, number> {
    const matches = this.#keywords.search({
      terms: queryTerms(query),
      weights: columnWeights,
      limit: candidatesPerArm,
      ...(serverId === undefined ? {} : { serverId }),
    });
    const best = matches[0]?.score ?? 0;
    return new Map(matches.map(({ toolKey, score }) => [toolKey, best > 0 ? score / best : 0]));
  }

  #currentNames(): Names {
    return this.#names.get(String(this.#catalog.generation()), () => {
      const names = this.#catalog.names();
      return { index: new NameIndex(names), byKey: new Map(names.map((name) => [name.key, name])) };
    });
  }

  #currentCoverage() {
    const modelId = this.#queryEmbedder.modelId;
    if (modelId === undefined) return undefined;
    return this.#coverage.get(this.#vectorGeneration(), () => this.#vectors.coverage(modelId));
  }

  #vectorGeneration(): string {
    return `${this.#catalog.generation()}/${this.#vectors.vectorGeneration()}`;
  }

  /** Equal scores then end up in the same order whatever arm found them first. */
  #inNameOrder(toolKeys: readonly number[], { byKey }: Names): number[] {
    const nameOf = (key: number) => byKey.get(key)?.exposedName ?? '';
    return [...toolKeys].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
}

function isCallable({ status }: ToolName): boolean {
  return status === 'ok' || status === 'repaired';
}

function cosinesOf({ scan, whole, clause }: Semantics): Evidence['cosines'] {
  return (toolKey) => {
    const slot = scan.slotOf(toolKey);
    return slot === undefined ? undefined : { whole: whole[slot] as number, clause: clause[slot] as number };
  };
}

function nearestTools({ scan, whole, clause }: Semantics, allowed: (toolKey: number) => boolean): number[] {
  const isAllowed = (slot: number) => allowed(scan.toolKeys[slot] as number);
  const slots = new Set(topIndexes(whole, candidatesPerArm, isAllowed));
  if (clause !== whole) for (const slot of topIndexes(clause, candidatesPerArm, isAllowed)) slots.add(slot);
  return [...slots].map((slot) => scan.toolKeys[slot] as number);
}

function highest(lists: readonly Float32Array[]): Float32Array {
  const best = Float32Array.from(lists[0] ?? []);
  for (const list of lists.slice(1)) {
    for (const [index, value] of list.entries()) if (value > (best[index] as number)) best[index] = value;
  }
  return best;
}
