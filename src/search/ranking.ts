import type {
  CatalogReader,
  CatalogView,
  Embedder,
  KeywordIndex,
  Logger,
  SearchArm,
  ToolName,
  VectorStore,
} from '../model/index.ts';
import { judgedHits } from './confidence.ts';
import { GenerationCache, indexGeneration } from './generation-cache.ts';
import { KeywordArm } from './keyword-arm.ts';
import { NameIndex, type NameMatch } from './query/name-index.ts';
import { type ReadQuery, readQuery } from './query/read-query.ts';
import type { Candidate } from './ranker/candidates.ts';
import type { Features } from './ranker/feature-names.ts';
import { candidateFeatures } from './ranker/features.ts';
import type { Ranker } from './ranker/ranker.ts';
import { combineWeights, type EvidenceShares, type Ranked, scoreTool } from './ranker/score.ts';
import type { Closeness, EmbeddingAbsence, RankingResult } from './ranking-result.ts';
import { SemanticArm, type SemanticEvidence } from './semantic-arm.ts';
import { stem } from './text/stem.ts';
import { wordsOf } from './text/tokenize.ts';

export interface RankingRequest {
  arm: SearchArm;
  /** Only tools of this server. */
  serverId: string | undefined;
  /** Only what it shows. Default: all. */
  view?: CatalogView | undefined;
}

export interface RankingDependencies {
  catalog: CatalogReader;
  keywords: KeywordIndex;
  vectors: VectorStore;
  embedder?: Embedder;
  ranker: Ranker;
  logger: Logger;
}

/** The tools that may be meant by a query, and what is known of each: `features[i]` belongs to `candidates[i]`. */
export interface Gathered {
  query: ReadQuery;
  candidates: Candidate[];
  features: Features[];
  /** How near the query is to each tool that was looked at, these and others. */
  cosines: number[];
  names: ReadonlyMap<number, NameMatch>;
  namedButSetAside: ToolName[];
  semantic: SemanticEvidence | EmbeddingAbsence;
  shares: EvidenceShares;
}

interface Names {
  index: NameIndex;
  byKey: ReadonlyMap<number, ToolName>;
}

interface Words {
  generation: string;
  names: Names;
  statistics: ReturnType<KeywordArm['statistics']>;
  isAllowed(toolKey: number): boolean;
  /** Tools that the query names. */
  named: [toolKey: number, { name: ToolName; match: NameMatch }][];
  /** Tools that hold its words. */
  keys: number[];
}

/** Brings names, keywords and meaning together for one query: first the tools that may be meant, then their order. */
export class Ranking {
  readonly #catalog: CatalogReader;
  readonly #vectors: VectorStore;
  readonly #ranker: Ranker;
  readonly #keywordArm: KeywordArm;
  readonly #semanticArm: SemanticArm;
  readonly #names = new GenerationCache<Names>();
  /** Of views, which give a new list of names when they show something else. */
  readonly #namesOfViews = new WeakMap<readonly ToolName[], Names>();

  constructor(dependencies: RankingDependencies) {
    this.#catalog = dependencies.catalog;
    this.#vectors = dependencies.vectors;
    this.#ranker = dependencies.ranker;
    this.#keywordArm = new KeywordArm(dependencies.keywords);
    this.#semanticArm = new SemanticArm(dependencies);
  }

  async run(text: string, request: RankingRequest): Promise<RankingResult> {
    const gathered = await this.gather(text, request);
    const { candidates, features, names, shares, semantic } = gathered;
    const weights = combineWeights(this.#ranker, shares);
    const ranked = candidates
      .map(({ toolKey }, index) => scoreTool(toolKey, features[index] as Features, weights, names.get(toolKey)))
      // The candidates come in the order of their names, which decides between equal scores.
      .sort((a, b) => b.score - a.score);
    return {
      ranked,
      closeness: closenessOf(ranked, gathered, request.serverId === undefined),
      embedding: typeof semantic === 'string' ? semantic : 'used',
      vectors: request.arm === 'lexical' ? undefined : this.#semanticArm.progress(),
      namedButSetAside: gathered.namedButSetAside,
    };
  }

  /** The candidates that are worth ranking, in the order of their names. */
  async gather(text: string, request: RankingRequest): Promise<Gathered> {
    const { arm } = request;
    const query = readQuery(text);
    const searching = arm === 'lexical' ? ('off' as const) : this.#semanticArm.find(query, arm === 'embedding');
    // While the model works. All that is read must be of one generation, so it is read again where an ingest falls between.
    const early = this.#readWords(text, query, request);
    const semantic = await searching;
    const words = early.generation === this.#generation() ? early : this.#readWords(text, query, request);
    const { named, statistics, isAllowed } = words;
    const callable = named.filter(([, { name }]) => isListed(name));
    const readable = typeof semantic === 'string' ? 0 : this.#semanticArm.readableShare(query);
    const near = typeof semantic === 'string' || readable === 0 ? [] : semantic.nearest(isAllowed);
    const keys = [...new Set([...callable.map(([key]) => key), ...words.keys, ...near])];
    const candidates = this.#candidates(keys, words, typeof semantic === 'string' ? undefined : semantic);
    const names = new Map(callable.map(([key, { match }]) => [key, match]));
    const read = candidateFeatures(query, candidates, statistics, (toolKey) => names.has(toolKey));
    return {
      query,
      candidates: read.map(({ candidate }) => candidate),
      features: read.map(({ features }) => features),
      cosines: candidates.flatMap(({ cosines }) => cosines?.whole ?? []),
      names,
      namedButSetAside: named.flatMap(([, { name, match }]) =>
        isListed(name) || (match !== 'exactCase' && match !== 'anyStyle') ? [] : name,
      ),
      semantic,
      shares: sharesOf(arm, readable),
    };
  }

  /** What names and keywords say, all of one generation. */
  #readWords(text: string, query: ReadQuery, { arm, serverId, view }: RankingRequest): Words {
    const generation = this.#generation();
    const names = view === undefined ? this.#currentNames() : this.#namesIn(view);
    const within = view?.keys();
    const statistics = this.#keywordArm.statistics(generation, within);
    const isAllowed = (toolKey: number) => {
      const name = names.byKey.get(toolKey);
      return name !== undefined && (serverId === undefined || name.serverId === serverId);
    };
    const isKnownWord = (word: string) => wordsOf(word).every((part) => statistics.frequencyOf(stem(part)) > 0);
    const keys = arm === 'embedding' ? [] : this.#keywordArm.candidates(query, statistics, { serverId, within });
    const tools = keys.flatMap((key) => names.byKey.get(key) ?? []);
    // Most of them stay candidates: their words are read now, while there is time.
    this.#keywordArm.profiles(tools, generation);
    return {
      generation,
      names,
      statistics,
      isAllowed,
      named: [...names.index.find(text, isKnownWord)].filter(([toolKey]) => isAllowed(toolKey)),
      keys: tools.map(({ key }) => key),
    };
  }

  #generation(): string {
    return indexGeneration(this.#catalog, this.#vectors);
  }

  #candidates(keys: readonly number[], words: Words, semantic: SemanticEvidence | undefined): Candidate[] {
    const tools = keys.flatMap((key) => words.names.byKey.get(key) ?? []);
    tools.sort((a, b) => (a.exposedName < b.exposedName ? -1 : 1));
    const profiles = this.#keywordArm.profiles(tools, words.generation);
    const cosines = semantic?.cosinesOf(tools.map(({ key }) => key));
    return tools.flatMap((name, index) => {
      const profile = profiles.get(name.key);
      return profile === undefined ? [] : { toolKey: name.key, name, profile, cosines: cosines?.[index] };
    });
  }

  #currentNames(): Names {
    return this.#names.get(String(this.#catalog.generation()), () => namesOf(this.#catalog.names()));
  }

  #namesIn(view: CatalogView): Names {
    const listed = view.names();
    const names = this.#namesOfViews.get(listed) ?? namesOf(listed);
    this.#namesOfViews.set(listed, names);
    return names;
  }
}

function namesOf(names: readonly ToolName[]): Names {
  return { index: new NameIndex(names), byKey: new Map(names.map((name) => [name.key, name])) };
}

/** The more of a query the model can read, the more its meaning counts. */
function sharesOf(arm: SearchArm, readable: number): EvidenceShares {
  if (arm === 'embedding') return { hybrid: 0, lexical: 0, embedding: readable };
  return { hybrid: readable, lexical: 1 - readable, embedding: 0 };
}

function closenessOf(
  ranked: readonly Ranked[],
  { candidates, features, cosines: all, shares }: Gathered,
  isWholeCatalog: boolean,
): Closeness {
  const indexOf = new Map(candidates.map(({ toolKey }, index) => [toolKey, index]));
  const first = ranked.slice(0, judgedHits).map(({ toolKey }) => indexOf.get(toolKey) as number);
  const best = (values: number[]) => values.reduce((most, value) => Math.max(most, value), 0);
  const cosines = first.flatMap((index) => {
    const cosine = candidates[index]?.cosines;
    return cosine === undefined ? [] : [cosine.whole, ...cosine.clauses];
  });
  all.sort((a, b) => a - b);
  return {
    cosine: shares.lexical < 1 && cosines.length > 0 ? best(cosines) : undefined,
    usualCosine: usualOf(all, isWholeCatalog),
    coverage: best(first.map((index) => features[index]?.coverage ?? 0)),
  };
}

/** Candidates that it takes for their median to say what is usual. */
const manyCandidates = 100;
/** What is usual over many servers. */
const usualCosine = 0.2;

/**
 * The median of sorted cosines. Of a few tools, or those of one server, most may fit: nothing can stand out from them, and
 * the less they tell, the more the figure for catalogs at large counts.
 */
function usualOf(cosines: readonly number[], isWholeCatalog: boolean): number {
  const share = isWholeCatalog ? Math.min(1, cosines.length / manyCandidates) : 0;
  const median = cosines[Math.floor(cosines.length / 2)] ?? usualCosine;
  return share * median + (1 - share) * usualCosine;
}

/** Tools that wait for an approval of a change are shown as they were, with a mark. */
function isListed({ status }: ToolName): boolean {
  return status !== 'set_aside' && status !== 'quarantined';
}
