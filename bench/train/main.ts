/**
 * Trains the ranker on the development halves of the labelled sets and writes `index-data/ranker.json` and
 * `index-data/query-adapter.bin`:  npm run train:ranker [-- --sets FOLDER]
 *
 * Everything is reported twice: for queries of sets that were trained on but for the queries themselves (out of fold), and
 * for sets that were left out altogether. This folder is the one part of the bench that looks inside the product.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Embedder } from '../../src/model/index.ts';
import {
  createMiniLmEmbedder,
  type FeatureName,
  featureNames,
  featureParts,
  linearAdapter,
  type QueryAdapter,
} from '../../src/search/training.ts';
import { benchDataFolder } from '../data/bench-data.ts';
import { scoreQuery } from '../metrics/score.ts';
import { type CollectedQuery, type CollectedSet, type SetFiles, SetReader } from './collect.ts';
import { trainAdapter } from './train-adapter.ts';
import { trainWeights } from './train-weights.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folds = 4;
const dimensions = 384;

/** How much a set counts: real MCP servers first. Within a set, all queries count alike. */
const setWeights: Record<string, number> = { real66: 4, livemcpbench: 2.5, livemcp_route: 1.5, metatool_multi: 0.5 };

const semanticParts = ['meaning', 'nameMeaning', 'parameterMeaning'];
const semanticFeatures = featureNames.filter(
  (name) =>
    semanticParts.includes(featureParts[name]) ||
    ['clauseCosine', 'clauseCosineAdapted', 'serverCosine'].includes(name),
);
const lexicalFeatures = featureNames.filter((name) => !semanticFeatures.includes(name) && name !== 'clauseFit');
const armFeatures = { hybrid: featureNames, lexical: lexicalFeatures, embedding: semanticFeatures };
type Arm = keyof typeof armFeatures;
type Weights = Record<Arm, Partial<Record<FeatureName, number>>>;

const identity: QueryAdapter = (vector) => vector;

function setFiles(folder: string): SetFiles[] {
  const file = (set: string, name: string) => join(folder, set, name);
  const own = (name: string, maxQueries?: number): SetFiles => ({
    name,
    family: name,
    tools: file(name, 'tools.jsonl.gz'),
    queries: file(name, 'queries.dev.jsonl'),
    ...(maxQueries === undefined ? {} : { maxQueries }),
  });
  return [
    { ...own('real66'), tools: file('real66', 'servers.jsonl.gz') },
    own('livemcpbench'),
    { ...own('livemcp_route'), family: 'livemcpbench', tools: file('livemcpbench', 'tools.jsonl.gz') },
    own('mcpproxy_golden'),
    own('metatool', 600),
    { ...own('metatool_multi', 200), family: 'metatool', tools: file('metatool', 'tools.jsonl.gz') },
    own('bfcl', 600),
    own('toolbench'),
    own('sealtools', 500),
  ];
}

const log = (text: string) => process.stderr.write(`${text}\n`);

async function main(): Promise<void> {
  const embedder = remembering(
    createMiniLmEmbedder({
      modelDir: join(root, 'index-data/models/all-MiniLM-L6-v2'),
      workerUrl: join(root, 'dist/search/embedding/worker.js'),
    }),
  );
  const readers: SetReader[] = [];
  for (const files of setFiles(benchDataFolder())) {
    readers.push(await SetReader.open(files, embedder, join(root, 'bench/.cache')));
    log(`opened ${files.name}`);
  }
  const plain = await collectAll(readers, () => identity);
  log('collected');
  const quick = process.argv.includes('--quick');

  const adapters = Array.from({ length: folds }, (_, fold) => {
    const adapter = adapterOf(plain, (query) => foldOf(query.id) !== fold);
    log(`adapter of fold ${fold}`);
    return adapter;
  });
  const outOfFold = await collectAll(readers, (id) => adapters[foldOf(id)]?.adapt ?? identity);
  const perFold = adapters.map((_, fold) => weightsOf(outOfFold, (query) => foldOf(query.id) !== fold));
  report('out of fold', outOfFold, (query) => perFold[foldOf(query.id)] as Weights);
  report('hand weights', plain, () => handWeights);

  const weights = weightsOf(outOfFold, () => true);
  for (const name of featureNames) log(`${name.padEnd(26)} ${(weights.hybrid[name] ?? 0).toFixed(4)}`);
  const all = adapterOf(plain, () => true);
  report('in sample', await collectAll(readers, () => all.adapt), () => weights);
  write(weights, all.values, all.scales);

  if (!quick) {
    for (const family of new Set(plain.map((set) => set.family))) {
      const others = plain.filter((set) => set.family !== family);
      const adapter = adapterOf(others, () => true);
      const weightsOfOthers = weightsOf(
        outOfFold.filter((set) => set.family !== family),
        () => true,
      );
      const left = readers.filter((reader) => plain.some((set) => set.name === reader.name && set.family === family));
      report(`without ${family}`, await collectAll(left, () => adapter.adapt), () => weightsOfOthers);
    }
  }
  for (const reader of readers) reader.close();
  await embedder.close();
}

/** The same queries are asked with one adapter after another. */
function remembering(embedder: Embedder): Embedder {
  const known = new Map<string, Float32Array>();
  const embed: Embedder['embed'] = async (texts, priority) => {
    if (priority === 'document') return embedder.embed(texts, priority);
    const fresh = [...new Set(texts)].filter((text) => !known.has(text));
    const vectors = fresh.length === 0 ? [] : await embedder.embed(fresh, priority);
    for (const [index, text] of fresh.entries()) known.set(text, vectors[index] as Float32Array);
    return texts.map((text) => known.get(text) as Float32Array);
  };
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    ready: () => embedder.ready(),
    close: () => embedder.close(),
    embed,
  };
}

async function collectAll(
  readers: readonly SetReader[],
  adapterFor: (id: string) => QueryAdapter,
): Promise<CollectedSet[]> {
  const sets: CollectedSet[] = [];
  for (const reader of readers) {
    const parts = new Map<QueryAdapter, Set<string>>();
    for (const id of reader.ids) {
      const adapt = adapterFor(id);
      parts.set(adapt, (parts.get(adapt) ?? new Set()).add(id));
    }
    const collected: CollectedSet[] = [];
    for (const [adapt, ids] of parts) collected.push(await reader.collect(adapt, (id) => ids.has(id)));
    const [first] = collected;
    if (first !== undefined) sets.push({ ...first, queries: collected.flatMap(({ queries }) => queries) });
  }
  return sets;
}

/** Queries of one task share their gold: they fall into one fold. */
function foldOf(id: string): number {
  const digest = createHash('sha256')
    .update(id.split('/')[0] ?? id)
    .digest();
  return (digest[0] as number) % folds;
}

function listsOf(sets: readonly CollectedSet[], wanted: (query: CollectedQuery) => boolean) {
  return sets.flatMap(({ name, queries }) => {
    const used = queries.filter((query) => wanted(query) && groupsAmong(query).length > 0);
    const weight = ((setWeights[name] ?? 1) * 10 * Math.sqrt(used.length)) / Math.max(1, used.length);
    return used.map((query) => ({
      groups: groupsAmong(query),
      weight,
      query: query.queryVector,
      tools: query.toolVectors,
      features: query.features,
    }));
  });
}

function groupsAmong({ candidates, groups }: CollectedQuery): number[][] {
  const placeOf = new Map(candidates.map((label, index) => [label, index]));
  return groups.map((group) => group.flatMap((label) => placeOf.get(label) ?? [])).filter((group) => group.length > 0);
}

function adapterOf(sets: readonly CollectedSet[], wanted: (query: CollectedQuery) => boolean) {
  const w = trainAdapter(listsOf(sets, wanted), dimensions);
  const values = new Int8Array(w.length);
  const scales = new Float32Array(dimensions);
  for (let row = 0; row < dimensions; row++) {
    const entries = w.subarray(row * dimensions, (row + 1) * dimensions);
    const scale = entries.reduce((most, entry) => Math.max(most, Math.abs(entry)), 1e-9) / 127;
    scales[row] = scale;
    for (const [column, entry] of entries.entries()) values[row * dimensions + column] = Math.round(entry / scale);
  }
  return { values, scales, adapt: linearAdapter(values, scales) };
}

function weightsOf(sets: readonly CollectedSet[], wanted: (query: CollectedQuery) => boolean): Weights {
  const lists = listsOf(sets, wanted);
  return {
    hybrid: trainWeights(lists, armFeatures.hybrid),
    lexical: trainWeights(lists, armFeatures.lexical),
    embedding: trainWeights(lists, armFeatures.embedding),
  };
}

const plainFusion = { cosine: 1, clauseCosine: 0.6, nameCosine: 0.2, keywords: 0.25, coverage: 0.6 };
const handWeights: Weights = { hybrid: plainFusion, lexical: plainFusion, embedding: plainFusion };

function report(title: string, sets: readonly CollectedSet[], weightsFor: (query: CollectedQuery) => Weights): void {
  log(`## ${title}`);
  for (const { name, queries } of sets) {
    const line = (['hybrid', 'lexical', 'embedding'] as const).map((arm) => {
      const scores = queries
        .filter(({ groups }) => groups.length > 0)
        .map((query) => ({ query, score: scoreQuery(order(query, weightsFor(query)[arm]), query.groups) }));
      const mean = (pick: (score: (typeof scores)[number]['score']) => number, of = scores) =>
        (of.reduce((sum, { score }) => sum + pick(score), 0) / of.length).toFixed(3);
      const paraphrase = scores.filter(({ query }) => query.category === 'paraphrase');
      const extra =
        arm === 'hybrid' && name === 'real66'
          ? ` paraphrase ${mean((s) => s.recall[1], paraphrase)}/${mean((s) => s.recall[5], paraphrase)}`
          : '';
      return `${arm} ${mean((s) => s.recall[1])}/${mean((s) => s.recall[5])} hit5 ${mean((s) => s.hit[5])}${extra}`;
    });
    log(`${name.padEnd(16)} ${line.join(' | ')}`);
  }
}

function order({ candidates, features }: CollectedQuery, weights: Partial<Record<FeatureName, number>>): string[] {
  const w = featureNames.map((name) => weights[name] ?? 0);
  const scores = features.map((row) => row.reduce((sum, value, index) => sum + value * (w[index] as number), 0));
  return candidates
    .map((label, index) => ({ label, score: scores[index] as number }))
    .sort((a, b) => b.score - a.score)
    .map(({ label }) => label);
}

function write(weights: Weights, values: Int8Array, scales: Float32Array): void {
  const bytes = Buffer.concat([Buffer.from(scales.buffer), Buffer.from(values.buffer)]);
  writeFileSync(join(root, 'index-data/query-adapter.bin'), bytes);
  const rounded = Object.fromEntries(
    Object.entries(weights).map(([arm, byName]) => [
      arm,
      Object.fromEntries(Object.entries(byName).map(([name, value]) => [name, Number(value.toPrecision(5))])),
    ]),
  );
  const file = {
    about:
      'Weights of the linear ranker and of the map that fits queries to tools; made by `npm run train:ranker` from the development halves of the labelled sets.',
    weights: rounded,
    adapter: { modelId: 'all-MiniLM-L6-v2/uint8/256', dimensions, file: 'query-adapter.bin' },
  };
  writeFileSync(join(root, 'index-data/ranker.json'), `${JSON.stringify(file, null, 2)}\n`);
}

await main();
