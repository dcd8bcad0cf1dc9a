import type {
  CatalogReader,
  CollidingTool,
  Collision,
  CollisionOptions,
  CollisionReport,
  VectorMatrix,
  VectorStore,
} from '../../model/index.ts';
import { firstSentence } from '../../render/index.ts';
import { embeddingOrdinal, VectorScan } from '../../search/index.ts';
import { candidatePairs, type Pair } from './candidate-pairs.ts';
import { type ComparedTool, comparedTools } from './compared-tool.ts';
import { type Rarities, scorePair } from './score-pair.ts';
import { wordRarity } from './word-rarity.ts';
import { wordsApart } from './words-apart.ts';

export interface CollisionDeps {
  catalog: CatalogReader;
  /** Absent where nothing is embedded. */
  vectors?: { store: VectorStore; modelId: string };
}

/** Pairs below are told apart by anyone: chosen on pairs of real servers that were judged by hand. */
const closeScore = 0.65;
const defaultLimit = 20;
const summaryMaxChars = 160;

/** The closest pairs of tools in the whole catalog, with the words that tell each apart. Calls nothing. */
export function findCollisions(
  { catalog, vectors }: CollisionDeps,
  { server, limit = defaultLimit }: CollisionOptions = {},
): CollisionReport {
  const tools = comparedTools(catalog.tools());
  const matrix = vectors?.store.matrix(vectors.modelId);
  const cosineOf = cosines(matrix);
  const rarities: Rarities = {
    nouns: wordRarity(tools.map(({ nouns }) => nouns)),
    description: wordRarity(tools.map(({ description }) => description)),
  };
  const candidates = candidatePairs(tools, matrix).filter((pair) => server === undefined || isOf(server, tools, pair));
  const close = candidates
    .map(([first, second]) => {
      const [a, b] = [tools[first] as ComparedTool, tools[second] as ComparedTool];
      return { a, b, ...scorePair(a, b, cosineOf(a, b), rarities) };
    })
    .filter(({ score }) => score >= closeScore)
    .sort((one, other) => other.score - one.score);
  const rarity = wordRarity(tools.map(({ words }) => words.keys()));
  return {
    tools: tools.length,
    compared: candidates.length,
    pairs: (tools.length * Math.max(0, tools.length - 1)) / 2,
    vectorShare: shareWithVectors(tools, matrix),
    found: close.length,
    collisions: close.slice(0, limit).map(
      ({ a, b, score, parts }): Collision => ({
        score,
        parts,
        tools: [colliding(a, wordsApart(a, b, rarity)), colliding(b, wordsApart(b, a, rarity))],
      }),
    ),
  };
}

/** The mean cosine of the names and of the whole texts of two tools. */
function cosines(matrix: VectorMatrix | undefined): (a: ComparedTool, b: ComparedTool) => number | undefined {
  if (matrix === undefined || matrix.dimensions === 0) return () => undefined;
  const vectors = [embeddingOrdinal.name, embeddingOrdinal.whole].map((ordinal) => {
    const scan = new VectorScan(matrix, ordinal);
    return new Map(Array.from(scan.toolKeys, (key) => [key, scan.vectorOf(key)]));
  });
  return (a, b) => {
    const values = vectors.flatMap((vectorOf) => {
      const [one, other] = [vectorOf.get(a.tool.key), vectorOf.get(b.tool.key)];
      return one === undefined || other === undefined ? [] : [dot(one, other)];
    });
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

function isOf(server: string, tools: readonly ComparedTool[], pair: Pair): boolean {
  return pair.some((at) => tools[at]?.tool.serverId === server);
}

function shareWithVectors(tools: readonly ComparedTool[], matrix: VectorMatrix | undefined): number {
  if (tools.length === 0) return 1;
  const keys = new Set(matrix?.toolKeys);
  return tools.filter(({ tool }) => keys.has(tool.key)).length / tools.length;
}

function colliding({ tool }: ComparedTool, apart: string[]): CollidingTool {
  return {
    name: tool.exposedName,
    server: tool.serverId,
    tool: tool.toolName,
    summary: firstSentence(tool.description ?? tool.title ?? '', summaryMaxChars),
    apart,
  };
}
