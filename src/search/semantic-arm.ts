import type { CatalogReader, Embedder, Logger, VectorStore } from '../model/index.ts';
import { QueryEmbedder } from './embedding/query-embedder.ts';
import type { VectorScan } from './embedding/vector-scan.ts';
import { VectorScans } from './embedding/vector-scans.ts';
import { GenerationCache, indexGeneration } from './generation-cache.ts';
import type { ReadQuery } from './query/read-query.ts';
import type { CandidateCosines } from './ranker/candidates.ts';
import type { EmbeddingAbsence } from './ranking-result.ts';
import { embeddingOrdinal } from './text/embedding-texts.ts';
import { topIndexes } from './top-indexes.ts';

/** Tools that the arm puts up: for the whole query, for each clause, and by name. */
const wholeLimit = 80;
const clauseLimit = 30;
const nameLimit = 50;

/** How near the tools are to one query. */
export interface SemanticEvidence {
  /** Undefined for a tool that has no vector yet. */
  cosinesOf(toolKeys: readonly number[]): (CandidateCosines | undefined)[];
  /** The nearest of the tools that `allowed` lets through. */
  nearest(allowed: (toolKey: number) => boolean): number[];
}

interface Scans {
  whole: VectorScan;
  names: VectorScan;
}

interface SemanticDependencies {
  catalog: CatalogReader;
  vectors: VectorStore;
  embedder?: Embedder;
  logger: Logger;
}

/** Compares queries with the vectors of the catalog, which are held in memory for one generation. */
export class SemanticArm {
  readonly #catalog: CatalogReader;
  readonly #vectors: VectorStore;
  readonly #queryEmbedder: QueryEmbedder;
  readonly #readsAllScripts: boolean;
  #scans: VectorScans | undefined;
  readonly #progress = new GenerationCache<{ texts: number; embedded: number }>();

  constructor({ catalog, vectors, embedder, logger }: SemanticDependencies) {
    this.#catalog = catalog;
    this.#vectors = vectors;
    this.#readsAllScripts = embedder?.readsAllScripts ?? false;
    this.#queryEmbedder = new QueryEmbedder(embedder, logger);
  }

  /** How far the model can read a query, 0–1. */
  readableShare({ readable }: ReadQuery): number {
    return this.#readsAllScripts ? 1 : readable;
  }

  /** With `mustTry` the model's start is waited for even while vectors are missing. */
  async find(query: ReadQuery, mustTry: boolean): Promise<SemanticEvidence | EmbeddingAbsence> {
    const modelId = this.#queryEmbedder.modelId;
    const progress = this.progress();
    if (modelId === undefined || progress === undefined) return 'off';
    const isComplete = progress.embedded >= progress.texts;
    const clauses = query.clauses.map(({ text }) => text);
    const embedding = this.#queryEmbedder.embed(query.embeddedText, clauses, isComplete || mustTry);
    const generation = indexGeneration(this.#catalog, this.#vectors);
    // Read while the model works: in a cold process both take their time.
    const early = this.#currentScans(modelId);
    const embedded = await embedding;
    if ('unavailable' in embedded) return embedded.unavailable;
    const [whole, ...clauseVectors] = embedded.vectors;
    const isStill = generation === indexGeneration(this.#catalog, this.#vectors);
    const scans = isStill ? early : this.#currentScans(modelId);
    if (whole === undefined || scans.whole.toolKeys.length === 0) return 'loading';
    // An endpoint may have changed its model behind the same name.
    if (whole.length !== scans.whole.dimensions) return 'broken';
    return new Comparison(scans, whole, clauseVectors);
  }

  /** How many texts there are and how many have a vector; undefined when embedding is off. */
  progress(): { texts: number; embedded: number } | undefined {
    const modelId = this.#queryEmbedder.modelId;
    if (modelId === undefined) return undefined;
    return this.#progress.get(indexGeneration(this.#catalog, this.#vectors), () => this.#vectors.coverage(modelId));
  }

  #currentScans(modelId: string): Scans {
    this.#scans ??= new VectorScans(this.#vectors, modelId);
    this.#scans.refresh();
    return {
      whole: this.#scans.of(embeddingOrdinal.whole),
      names: this.#scans.of(embeddingOrdinal.name),
    };
  }
}

/** One query against the vectors as they are now. */
class Comparison implements SemanticEvidence {
  readonly #scans: Scans;
  readonly #whole: Float32Array;
  readonly #clauses: readonly Float32Array[];
  /** With every tool, by row of its scan. */
  readonly #cosines: {
    whole: Float32Array;
    clauses: readonly Float32Array[];
    names: Float32Array;
  };

  constructor(scans: Scans, whole: Float32Array, clauses: readonly Float32Array[]) {
    this.#scans = scans;
    this.#whole = whole;
    this.#clauses = clauses;
    this.#cosines = {
      whole: scans.whole.cosines(whole),
      clauses: clauses.map((clause) => scans.whole.cosines(clause)),
      names: scans.names.cosines(whole),
    };
  }

  nearest(allowed: (toolKey: number) => boolean): number[] {
    const { whole, names } = this.#scans;
    const best = (scan: VectorScan, cosines: Float32Array, limit: number) =>
      topIndexes(cosines, limit, (row) => allowed(scan.toolKeys[row] as number)).map(
        (row) => scan.toolKeys[row] as number,
      );
    return [
      ...best(whole, this.#cosines.whole, wholeLimit),
      ...this.#cosines.clauses.flatMap((cosines) => best(whole, cosines, clauseLimit)),
      ...best(names, this.#cosines.names, nameLimit),
    ];
  }

  cosinesOf(toolKeys: readonly number[]): (CandidateCosines | undefined)[] {
    const { whole, names } = this.#scans;
    const against = (scan: VectorScan, vector: Float32Array) => scan.cosinesOf(vector, toolKeys);
    const among = (scan: VectorScan, cosines: Float32Array) =>
      Float32Array.from(toolKeys, (key) => cosines[scan.rowOf(key) ?? -1] ?? Number.NaN);
    const wholes = among(whole, this.#cosines.whole);
    const nameCosines = among(names, this.#cosines.names);
    const clauses = this.#cosines.clauses.map((cosines) => among(whole, cosines));
    const namesOfClauses = this.#clauses.map((clause) => against(names, clause));
    return toolKeys.map((_, index) => {
      const cosine = wholes[index] as number;
      if (Number.isNaN(cosine)) return undefined;
      const name = orElse(nameCosines[index], cosine);
      return {
        whole: cosine,
        name,
        clauses: clauses.map((cosines) => cosines[index] as number),
        nameOfClause: namesOfClauses.reduce(
          (best, cosines) => Math.max(best, orElse(cosines[index], -1)),
          namesOfClauses.length === 0 ? name : -1,
        ),
      };
    });
  }
}

function orElse(cosine: number | undefined, other: number): number {
  return cosine === undefined || Number.isNaN(cosine) ? other : cosine;
}
