import type { CatalogReader, Embedder, Logger, VectorStore } from '../model/index.ts';
import { QueryEmbedder } from './embedding/query-embedder.ts';
import type { VectorScan } from './embedding/vector-scan.ts';
import { VectorScans } from './embedding/vector-scans.ts';
import type { Cosines } from './fusion/rank.ts';
import { topIndexes } from './fusion/top-indexes.ts';
import { GenerationCache } from './generation-cache.ts';
import type { ReadQuery } from './query/read-query.ts';
import type { EmbeddingAbsence } from './ranking-result.ts';
import { embeddingOrdinal } from './text/embedding-texts.ts';

/** Tools that the arm puts up, for the whole query and again for its clauses. */
const candidateLimit = 200;

/** How near the tools are to one query. */
export interface SemanticEvidence {
  /** Undefined for a tool that has no vector yet. */
  cosines(toolKey: number): Cosines | undefined;
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
  #scans: VectorScans | undefined;
  readonly #progress = new GenerationCache<{ texts: number; embedded: number }>();

  constructor({ catalog, vectors, embedder, logger }: SemanticDependencies) {
    this.#catalog = catalog;
    this.#vectors = vectors;
    this.#queryEmbedder = new QueryEmbedder(embedder, logger);
  }

  /** With `mustTry` the model's start is waited for even while vectors are missing. */
  async find(query: ReadQuery, mustTry: boolean): Promise<SemanticEvidence | EmbeddingAbsence> {
    const modelId = this.#queryEmbedder.modelId;
    const progress = this.progress();
    if (modelId === undefined || progress === undefined) return 'off';
    const isComplete = progress.embedded >= progress.texts;
    const embedding = this.#queryEmbedder.embed([query.embeddedText, ...query.clauses], isComplete || mustTry);
    // Read while the model works: in a cold process both take their time.
    this.#currentScans(modelId);
    const embedded = await embedding;
    if ('unavailable' in embedded) return embedded.unavailable;
    const [whole, ...clauses] = embedded.vectors;
    const scans = this.#currentScans(modelId);
    if (whole === undefined || scans.whole.toolKeys.length === 0) return 'loading';
    return compare(scans, whole, clauses);
  }

  /** How many texts there are and how many have a vector; undefined when embedding is off. */
  progress(): { texts: number; embedded: number } | undefined {
    const modelId = this.#queryEmbedder.modelId;
    if (modelId === undefined) return undefined;
    return this.#progress.get(this.#generation(), () => this.#vectors.coverage(modelId));
  }

  #currentScans(modelId: string): Scans {
    this.#scans ??= new VectorScans(this.#vectors, modelId);
    this.#scans.refresh();
    return { whole: this.#scans.of(embeddingOrdinal.whole), names: this.#scans.of(embeddingOrdinal.name) };
  }

  #generation(): string {
    return `${this.#catalog.generation()}/${this.#vectors.vectorGeneration()}`;
  }
}

function compare({ whole, names }: Scans, query: Float32Array, clauses: readonly Float32Array[]): SemanticEvidence {
  const wholeCosines = whole.cosines(query);
  const clauseCosines = clauses.length === 0 ? wholeCosines : highest(clauses.map((clause) => whole.cosines(clause)));
  return {
    cosines: (toolKey) => {
      const row = whole.rowOf(toolKey);
      if (row === undefined) return undefined;
      const cosine = wholeCosines[row] as number;
      const name = names.cosine(query, toolKey) ?? cosine;
      return { whole: cosine, clause: clauseCosines[row] as number, name };
    },
    nearest: (allowed) => {
      const isAllowed = (row: number) => allowed(whole.toolKeys[row] as number);
      const rows = new Set(
        [...new Set([wholeCosines, clauseCosines])].flatMap((cosines) =>
          topIndexes(cosines, candidateLimit, isAllowed),
        ),
      );
      return [...rows].map((row) => whole.toolKeys[row] as number);
    },
  };
}

function highest(lists: readonly Float32Array[]): Float32Array {
  const best = Float32Array.from(lists[0] ?? []);
  for (const list of lists.slice(1)) {
    for (const [index, value] of list.entries()) if (value > (best[index] as number)) best[index] = value;
  }
  return best;
}
