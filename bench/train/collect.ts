import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ingestFingerprint, openCatalog } from '../../src/catalog/index.ts';
import type { Embedder, Logger } from '../../src/model/index.ts';
import {
  completeWeights,
  confidenceOf,
  createEmbeddingBackfill,
  createToolAnalyzer,
  type FeatureName,
  featureNames,
  Ranking,
} from '../../src/search/training.ts';
import { loadQueries } from '../data/load-queries.ts';
import { loadTools } from '../data/load-tools.ts';
import type { Weights } from './arms.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** One labelled query with what the product knows of its candidates. */
export interface CollectedQuery {
  id: string;
  /** Label ids of the candidates. */
  candidates: string[];
  /** Any-of groups of label ids, those that no candidate fulfils included. */
  groups: string[][];
  /** Labels of tools that are neither right nor wrong. */
  helpful: string[];
  /** What of the query is embedded. */
  text: string;
  features: Float64Array[];
}

/** Whether a query can be answered, and whether its answer calls itself weak. */
export interface JudgedQuery {
  isAnswerable: boolean;
  isWeak: boolean;
}

export interface CollectedSet {
  name: string;
  /** Sets over the same tools: left out together. */
  family: string;
  queries: CollectedQuery[];
}

export interface SetFiles {
  name: string;
  family: string;
  tools: string;
  queries: string;
  /** Queries used at most, evenly over the file. */
  maxQueries?: number;
}

/** A set whose catalog is ingested and embedded, ready to be asked. */
export class SetReader {
  readonly #files: SetFiles;
  readonly #catalog: ReturnType<typeof openCatalog>;
  readonly #embedder: Embedder;
  readonly #labelOf: (server: string, tool: string) => string;
  readonly #labelled: ReturnType<typeof loadQueries>;

  private constructor(files: SetFiles, catalog: ReturnType<typeof openCatalog>, embedder: Embedder) {
    this.#files = files;
    this.#catalog = catalog;
    this.#embedder = embedder;
    const toolSet = loadTools(files.tools);
    this.#labelOf = toolSet.labelOf;
    this.#labelled = evenly(loadQueries(files.queries), files.maxQueries);
    for (const { server, tools, ...about } of toolSet.servers) {
      catalog.ingest(server, tools, {
        fingerprint: ingestFingerprint,
        listedAt: Date.now(),
        trigger: 'ingest',
        ...about,
      });
    }
  }

  /** The embedded catalog is kept in `cacheFolder` for the next training. */
  static async open(files: SetFiles, embedder: Embedder, cacheFolder: string): Promise<SetReader> {
    if (!existsSync(cacheFolder)) mkdirSync(cacheFolder, { recursive: true });
    const catalog = openCatalog({
      path: join(cacheFolder, `train-${files.family}.sqlite`),
      analyzer: createToolAnalyzer(),
    });
    const reader = new SetReader(files, catalog, embedder);
    catalog.indexPending();
    await createEmbeddingBackfill({ vectors: catalog, embedder, logger: silent }).settled();
    return reader;
  }

  get name(): string {
    return this.#files.name;
  }

  /** Sets over the same tools are one family. */
  get family(): string {
    return this.#files.family;
  }

  /** The queries that `wanted` lets through, as the ranking sees them. */
  async collect(wanted: (id: string) => boolean): Promise<CollectedQuery[]> {
    const ranking = this.#rankingBy(noWeights);
    const queries: CollectedQuery[] = [];
    for (const { id, query, groups, helpful } of this.#labelled) {
      if (!wanted(id)) continue;
      const { query: read, candidates, features } = await ranking.gather(query, { arm: 'hybrid', serverId: undefined });
      queries.push({
        id,
        groups,
        helpful,
        text: read.embeddedText,
        candidates: candidates.map(({ name }) => this.#labelOf(name.serverId, name.toolName)),
        features: features.map((row) => Float64Array.from(featureNames, (name: FeatureName) => row[name])),
      });
    }
    return queries;
  }

  /** How sure the answers to these queries are, ranked by these weights. */
  async judge(weights: Weights, wanted: (id: string) => boolean): Promise<JudgedQuery[]> {
    const ranking = this.#rankingBy(weights);
    const judged: JudgedQuery[] = [];
    for (const { id, query, groups } of this.#labelled) {
      if (!wanted(id)) continue;
      const result = await ranking.run(query, { arm: 'hybrid', serverId: undefined });
      judged.push({ isAnswerable: groups.length > 0, isWeak: confidenceOf(result) === 'weak' });
    }
    return judged;
  }

  close(): void {
    this.#catalog.close();
  }

  #rankingBy(weights: Weights): Ranking {
    const [catalog, embedder] = [this.#catalog, this.#embedder];
    const arms = {
      hybrid: completeWeights(weights.hybrid),
      lexical: completeWeights(weights.lexical),
      embedding: completeWeights(weights.embedding),
    };
    return new Ranking({
      catalog,
      keywords: catalog,
      vectors: catalog,
      embedder,
      ranker: { weights: arms },
      logger: silent,
    });
  }
}

const noWeights: Weights = { hybrid: {}, lexical: {}, embedding: {} };

function evenly<Value>(values: readonly Value[], max = values.length): Value[] {
  const step = Math.max(1, values.length / max);
  return Array.from({ length: Math.min(max, values.length) }, (_, index) => values[Math.floor(index * step)] as Value);
}
