/**
 * Trains the ranker on the development halves of the labelled sets and writes `index-data/ranker.json` and
 * `index-data/query-adapter.bin`:  npm run train:ranker   (about 25 minutes on two cores)
 *
 * Everything is measured three ways: with plain weighted fusion; for queries of sets that were trained on, but for the
 * queries themselves (out of fold); and for sets that were left out altogether, with all sets over the same tools. This
 * folder is the one part of the bench that looks inside the product.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '../../src/model/index.ts';
import { createMiniLmEmbedder, linearAdapter, type QueryAdapter } from '../../src/search/training.ts';
import { benchDataFolder, repositoryFolder } from '../data/bench-data.ts';
import { armFeatures, handWeights, type Weights } from './arms.ts';
import { type CollectedQuery, type CollectedSet, SetReader } from './collect.ts';
import { figuresOf, type SetFigures } from './figures.ts';
import { setWeights, trainingSets } from './sets.ts';
import { trainAdapter } from './train-adapter.ts';
import { trainWeights } from './train-weights.ts';

const folds = 4;
const dimensions = 384;

const identity: QueryAdapter = (vector) => vector;
const log = (text: string) => process.stderr.write(`${text}\n`);

async function main(): Promise<void> {
  const embedder = remembering(
    createMiniLmEmbedder({
      modelDir: join(repositoryFolder, 'index-data/models/all-MiniLM-L6-v2'),
      workerUrl: join(repositoryFolder, 'dist/search/embedding/worker.js'),
    }),
  );
  const readers: SetReader[] = [];
  for (const files of trainingSets(benchDataFolder())) {
    readers.push(await SetReader.open(files, embedder, join(repositoryFolder, 'bench/.cache')));
    log(`opened ${files.name}`);
  }
  const plain = await collectAll(readers, () => identity);
  const adapters = Array.from({ length: folds }, (_, fold) => {
    log(`adapter without fold ${fold}`);
    return adapterOf(plain, (query) => foldOf(query.id) !== fold);
  });
  // Weights are learned on features that no adapter has seen the answers of, or they would trust it too much.
  const unseen = await collectAll(readers, (id) => adapters[foldOf(id)]?.adapt ?? identity);
  const perFold = adapters.map((_, fold) => weightsOf(unseen, (query) => foldOf(query.id) !== fold));
  const weights = weightsOf(unseen, () => true);
  log('adapter of all');
  const { values, scales } = adapterOf(plain, () => true);
  writeRanker(weights, values, scales, {
    queries: Object.fromEntries(plain.map(({ name, queries }) => [name, queries.length])),
    setWeights,
    plainFusion: figuresOf(plain, () => handWeights),
    outOfFold: figuresOf(unseen, (query) => perFold[foldOf(query.id)] as Weights),
    leftOut: await leaveFamiliesOut(readers, plain, unseen),
  });
  for (const reader of readers) reader.close();
  await embedder.close();
}

async function leaveFamiliesOut(
  readers: readonly SetReader[],
  plain: readonly CollectedSet[],
  unseen: readonly CollectedSet[],
): Promise<Record<string, SetFigures>> {
  const figures: Record<string, SetFigures> = {};
  for (const family of new Set(plain.map((set) => set.family))) {
    log(`without ${family}`);
    const isOther = (set: CollectedSet) => set.family !== family;
    const { adapt } = adapterOf(plain.filter(isOther), () => true);
    const weights = weightsOf(unseen.filter(isOther), () => true);
    const left = readers.filter((reader) => reader.family === family);
    Object.assign(
      figures,
      figuresOf(await collectAll(left, () => adapt), () => weights),
    );
  }
  return figures;
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
    const queries: CollectedQuery[] = [];
    for (const adapt of new Set(reader.ids.map(adapterFor))) {
      queries.push(...(await reader.collect(adapt, (id) => adapterFor(id) === adapt)));
    }
    sets.push({ name: reader.name, family: reader.family, queries });
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

function weightsOf(sets: readonly CollectedSet[], wanted: (query: CollectedQuery) => boolean): Weights {
  const lists = listsOf(sets, wanted);
  return {
    hybrid: trainWeights(lists, armFeatures.hybrid),
    lexical: trainWeights(lists, armFeatures.lexical),
    embedding: trainWeights(lists, armFeatures.embedding),
  };
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

function listsOf(sets: readonly CollectedSet[], wanted: (query: CollectedQuery) => boolean) {
  return sets.flatMap(({ name, queries }) => {
    const used = queries
      .filter(wanted)
      .map((query) => ({ query, groups: groupsAmong(query) }))
      .filter(({ groups }) => groups.length > 0);
    const weight = ((setWeights[name] ?? 1) * 10) / Math.sqrt(Math.max(1, used.length));
    return used.map(({ query, groups }) => ({
      groups,
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

function writeRanker(weights: Weights, values: Int8Array, scales: Float32Array, provenance: object): void {
  const bytes = Buffer.concat([Buffer.from(scales.buffer), Buffer.from(values.buffer)]);
  writeFileSync(join(repositoryFolder, 'index-data/query-adapter.bin'), bytes);
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
    provenance,
  };
  writeFileSync(join(repositoryFolder, 'index-data/ranker.json'), `${JSON.stringify(file, null, 2)}\n`);
}

await main();
