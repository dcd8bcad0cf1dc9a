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
import { columnWeights, coverageWeights, saturatedTermScore } from './fusion/weights.ts';
import { GenerationCache } from './generation-cache.ts';
import { NameIndex } from './query/name-index.ts';
import { type ReadQuery, readQuery } from './query/read-query.ts';
import { embeddingOrdinal } from './text/embedding-texts.ts';

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

/** Coverage is read for this many tools; the rest hold so little of the query that it makes no difference. */
const coverageLimit = 1_000;
const minRarity = 1e-6;

interface Names {
  index: NameIndex;
  byKey: Map<number, ToolName>;
}

interface Vectors {
  whole: VectorScan;
  names: VectorScan;
}

/** How near the tools are to one query. */
interface Semantics {
  vectors: Vectors;
  query: Float32Array;
  /** Cosines by row of `vectors.whole`. */
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
  readonly #scans = new GenerationCache<Vectors>();
  readonly #coverage = new GenerationCache<{ texts: number; embedded: number }>();

  constructor({ catalog, keywords, vectors, embedder, logger }: RankingDependencies) {
    this.#catalog = catalog;
    this.#keywords = keywords;
    this.#vectors = vectors;
    this.#queryEmbedder = new QueryEmbedder(embedder, logger);
  }

  async run(query: string, { arm, serverId }: RankingRequest): Promise<RankingResult> {
    const read = readQuery(query);
    const semantics = arm === 'lexical' ? 'off' : await this.#semantics(read, arm);
    const names = this.#currentNames();
    const onServer = (toolKey: number) => serverId === undefined || names.byKey.get(toolKey)?.serverId === serverId;
    const terms = arm === 'embedding' ? [] : this.#usefulTerms(read);
    const keywords = this.#keywordScores(terms, serverId);
    const named = [...names.index.find(query)].filter(([toolKey]) => onServer(toolKey));
    const evidence: Evidence = {
      keywords,
      coverage: this.#coverageScores(terms, serverId),
      names: new Map(named.filter(([, { name }]) => isCallable(name)).map(([key, { match }]) => [key, match])),
      cosines: typeof semantics === 'string' ? () => undefined : cosinesOf(semantics),
      embeddingShare: typeof semantics === 'string' ? 0 : read.readable,
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

  async #semantics(query: ReadQuery, arm: SearchArm): Promise<Semantics | 'off' | 'loading' | 'broken'> {
    const modelId = this.#queryEmbedder.modelId;
    if (modelId === undefined) return 'off';
    const coverage = this.#currentCoverage();
    const isComplete = coverage !== undefined && coverage.embedded >= coverage.texts;
    const texts = [query.embeddedText, ...query.clauses];
    const embedded = await this.#queryEmbedder.embed(texts, isComplete || arm === 'embedding');
    if ('unavailable' in embedded) return embedded.unavailable;
    const vectors = this.#currentVectors(modelId);
    if (vectors.whole.toolKeys.length === 0) return 'loading';
    const [whole, ...parts] = embedded.vectors.map((vector) => vectors.whole.cosines(vector));
    const [vector] = embedded.vectors;
    if (whole === undefined || vector === undefined) return 'loading';
    return { vectors, query: vector, whole, clause: parts.length === 0 ? whole : highest(parts) };
  }

  /** Glossed queries keep only those words of their own language that occur in the catalog. */
  #usefulTerms({ terms, glossTerms }: ReadQuery): string[] {
    if (glossTerms.length === 0) return terms;
    const { frequencies } = this.#keywords.documentFrequencies(terms);
    return [...new Set([...terms.filter((term) => (frequencies.get(term) ?? 0) > 0), ...glossTerms])];
  }

  #keywordScores(terms: readonly string[], serverId: string | undefined): Map<number, number> {
    if (terms.length === 0) return new Map();
    const matches = this.#keywords.search({
      terms,
      weights: columnWeights,
      limit: candidatesPerArm,
      ...(serverId === undefined ? {} : { serverId }),
    });
    const best = matches[0]?.score ?? 0;
    return new Map(matches.map(({ toolKey, score }) => [toolKey, best > 0 ? score / best : 0]));
  }

  /** The same search with saturated weights: see `coverageWeights`. */
  #coverageScores(terms: readonly string[], serverId: string | undefined): Map<number, number> {
    if (terms.length === 0) return new Map();
    const matches = this.#keywords.search({
      terms,
      weights: coverageWeights,
      limit: coverageLimit,
      ...(serverId === undefined ? {} : { serverId }),
    });
    const { frequencies, documents } = this.#keywords.documentFrequencies(terms);
    const all = terms.reduce((total, term) => total + rarity(frequencies.get(term) ?? 0, documents), 0);
    return new Map(matches.map(({ toolKey, score }) => [toolKey, Math.min(1, score / (saturatedTermScore * all))]));
  }

  #currentVectors(modelId: string): Vectors {
    return this.#scans.get(this.#vectorGeneration(), () => {
      const matrix = this.#vectors.matrix(modelId);
      return {
        whole: new VectorScan(matrix, embeddingOrdinal.whole),
        names: new VectorScan(matrix, embeddingOrdinal.name),
      };
    });
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

/** Inverse document frequency as FTS5 computes it: terms in more than half of the tools count next to nothing. */
function rarity(frequency: number, documents: number): number {
  return Math.max(minRarity, Math.log((documents - frequency + 0.5) / (frequency + 0.5)));
}

function cosinesOf({ vectors, query, whole, clause }: Semantics): Evidence['cosines'] {
  return (toolKey) => {
    const row = vectors.whole.rowOf(toolKey);
    if (row === undefined) return undefined;
    const cosine = whole[row] as number;
    return {
      whole: cosine,
      clause: clause[row] as number,
      name: vectors.names.cosine(query, toolKey) ?? cosine,
    };
  };
}

function nearestTools({ vectors, whole, clause }: Semantics, allowed: (toolKey: number) => boolean): number[] {
  const { toolKeys } = vectors.whole;
  const isAllowed = (row: number) => allowed(toolKeys[row] as number);
  const rows = new Set(topIndexes(whole, candidatesPerArm, isAllowed));
  if (clause !== whole) for (const row of topIndexes(clause, candidatesPerArm, isAllowed)) rows.add(row);
  return [...rows].map((row) => toolKeys[row] as number);
}

function highest(lists: readonly Float32Array[]): Float32Array {
  const best = Float32Array.from(lists[0] ?? []);
  for (const list of lists.slice(1)) {
    for (const [index, value] of list.entries()) if (value > (best[index] as number)) best[index] = value;
  }
  return best;
}
