import type {
  CatalogReader,
  Embedder,
  KeywordIndex,
  Logger,
  SearchArm,
  ToolName,
  VectorStore,
} from '../model/index.ts';
import { judgedHits } from './confidence.ts';
import { type Evidence, type Ranked, rank } from './fusion/rank.ts';
import { GenerationCache } from './generation-cache.ts';
import { KeywordArm, noKeywords } from './keyword-arm.ts';
import { NameIndex } from './query/name-index.ts';
import { readQuery } from './query/read-query.ts';
import type { RankingResult } from './ranking-result.ts';
import { SemanticArm } from './semantic-arm.ts';

export interface RankingRequest {
  arm: SearchArm;
  /** Only tools of this server. */
  serverId: string | undefined;
}

interface RankingDependencies {
  catalog: CatalogReader;
  keywords: KeywordIndex;
  vectors: VectorStore;
  embedder?: Embedder;
  logger: Logger;
}

interface Names {
  index: NameIndex;
  byKey: ReadonlyMap<number, ToolName>;
}

/** Brings names, keywords and meaning together for one query. */
export class Ranking {
  readonly #catalog: CatalogReader;
  readonly #keywordArm: KeywordArm;
  readonly #semanticArm: SemanticArm;
  readonly #names = new GenerationCache<Names>();

  constructor(dependencies: RankingDependencies) {
    this.#catalog = dependencies.catalog;
    this.#keywordArm = new KeywordArm(dependencies.keywords);
    this.#semanticArm = new SemanticArm(dependencies);
  }

  async run(query: string, { arm, serverId }: RankingRequest): Promise<RankingResult> {
    const read = readQuery(query);
    const searching = arm === 'lexical' ? ('off' as const) : this.#semanticArm.find(read, arm === 'embedding');
    // Made while the model works: in a cold process both take their time.
    this.#currentNames();
    const semantic = await searching;
    const isSemantic = typeof semantic !== 'string';
    // Everything below is read in one go, so that no ingest falls between.
    const names = this.#currentNames();
    const isAllowed = (toolKey: number) => {
      const name = names.byKey.get(toolKey);
      return name !== undefined && (serverId === undefined || name.serverId === serverId);
    };
    const named = [...names.index.find(query)].filter(([toolKey]) => isAllowed(toolKey));
    const { scores, coverage } = arm === 'embedding' ? noKeywords : this.#keywordArm.find(read, serverId);
    const evidence: Evidence = {
      keywords: scores,
      coverage,
      names: new Map(named.filter(([, { name }]) => isCallable(name)).map(([key, { match }]) => [key, match])),
      cosines: isSemantic ? semantic.cosines : () => undefined,
      embeddingShare: isSemantic ? read.readable : 0,
      keywordShare: arm === 'embedding' ? 0 : 1,
    };
    const nearest = isSemantic && read.readable > 0 ? semantic.nearest(isAllowed) : [];
    const candidates = [...new Set([...evidence.names.keys(), ...scores.keys(), ...nearest])];
    const ranked = rank(inNameOrder(candidates, names), evidence);
    return {
      ranked,
      ...closeness(ranked, evidence),
      embedding: isSemantic ? 'used' : semantic,
      vectors: arm === 'lexical' ? undefined : this.#semanticArm.progress(),
      namedButSetAside: named.flatMap(([, { name, match }]) => (isCallable(name) || match === 'mention' ? [] : name)),
    };
  }

  #currentNames(): Names {
    return this.#names.get(String(this.#catalog.generation()), () => {
      const names = this.#catalog.names();
      return { index: new NameIndex(names), byKey: new Map(names.map((name) => [name.key, name])) };
    });
  }
}

/** Equal scores then end up in the same order whatever arm found them first. */
function inNameOrder(toolKeys: readonly number[], { byKey }: Names): number[] {
  const nameOf = (key: number) => byKey.get(key)?.exposedName ?? '';
  return [...toolKeys].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function closeness(ranked: readonly Ranked[], evidence: Evidence): Pick<RankingResult, 'bestCosine' | 'bestCoverage'> {
  const keys = ranked.slice(0, judgedHits).map(({ toolKey }) => toolKey);
  const coverages = keys.map((key) => evidence.coverage.get(key) ?? 0);
  const cosines = keys.map(evidence.cosines).flatMap((cosine) => (cosine ? [cosine.whole, cosine.clause] : []));
  return {
    bestCosine: evidence.embeddingShare > 0 && cosines.length > 0 ? Math.max(...cosines) : undefined,
    bestCoverage: Math.max(0, ...coverages),
  };
}

function isCallable({ status }: ToolName): boolean {
  return status === 'ok' || status === 'repaired';
}
