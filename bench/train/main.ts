/**
 * Trains the ranker on the development halves of the labelled sets and writes `index-data/ranker.json`:
 * npm run train:ranker   (about 20 minutes on two cores; `npm run train:encoder` comes first)
 *
 * Everything is measured three ways: with plain weighted fusion and the encoder as it was published; for queries of sets that
 * were trained on, but for the queries themselves (out of fold); and for sets that were left out altogether, with all sets
 * over the same tools. Encoder and ranker leave out the same. This folder is the one part of the bench that looks inside the product.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchDataFolder, repositoryFolder } from '../data/bench-data.ts';
import { armFeatures, handWeights, type Weights } from './arms.ts';
import { type CollectedQuery, type CollectedSet, type JudgedQuery, type SetFiles, SetReader } from './collect.ts';
import { openEncoder } from './encoder/open-encoder.ts';
import { familyVariants, foldVariants } from './encoder/variants.ts';
import { figuresOf, type SetFigures } from './figures.ts';
import { foldOf } from './folds.ts';
import { setWeights, trainingSets } from './sets.ts';
import { trainWeights } from './train-weights.ts';

const sets = trainingSets(benchDataFolder());
const log = (text: string) => process.stderr.write(`${text}\n`);

async function main(): Promise<void> {
  log('the encoder as it was published');
  const plain = await collect(undefined, sets, () => true);
  const parts: CollectedSet[][] = [];
  for (const { delta, withoutFold } of foldVariants) {
    log(`fold ${withoutFold}`);
    parts.push(await collect(delta, sets, (id) => foldOf(id) === withoutFold));
  }
  // Weights are learned on features from encoders that have not seen the answers, or they would trust meaning too much.
  const unseen = sets.map(({ name, family }, index) => ({
    name,
    family,
    queries: parts.flatMap((part) => part[index]?.queries ?? []),
  }));
  const perFold = foldVariants.map(({ withoutFold }) => weightsOf(unseen, ({ id }) => foldOf(id) !== withoutFold));
  writeRanker(
    weightsOf(unseen, () => true),
    {
      queries: Object.fromEntries(unseen.map(({ name, queries }) => [name, queries.length])),
      setWeights,
      plainFusion: figuresOf(plain, () => handWeights),
      outOfFold: figuresOf(unseen, ({ id }) => perFold[foldOf(id)] as Weights),
      weakOutOfFold: { real66: await weakShares('real66', perFold) },
      leftOut: await leaveFamiliesOut(unseen),
    },
  );
}

async function leaveFamiliesOut(unseen: readonly CollectedSet[]): Promise<Record<string, SetFigures>> {
  const figures: Record<string, SetFigures> = {};
  for (const { delta, withoutFamilies = [] } of familyVariants) {
    log(`without ${withoutFamilies.join(', ')}`);
    const isLeftOut = ({ family }: { family: string }) => withoutFamilies.includes(family);
    const weights = weightsOf(
      unseen.filter((set) => !isLeftOut(set)),
      () => true,
    );
    Object.assign(
      figures,
      figuresOf(await collect(delta, sets.filter(isLeftOut), () => true), () => weights),
    );
  }
  return Object.fromEntries(sets.flatMap(({ name }) => (figures[name] === undefined ? [] : [[name, figures[name]]])));
}

/** The queries that `wanted` lets through, as they look to the encoder with the change of the file `delta`. */
function collect(
  delta: string | undefined,
  from: readonly SetFiles[],
  wanted: (id: string) => boolean,
): Promise<CollectedSet[]> {
  return withReaders(delta, from, async (reader) => {
    return { name: reader.name, family: reader.family, queries: await reader.collect(wanted) };
  });
}

/** Shares of the queries of a set whose answers call themselves weak, each ranked by what has not seen it. */
async function weakShares(set: string, perFold: readonly Weights[]): Promise<{ answerable: number; none: number }> {
  const files = sets.filter(({ name }) => name === set);
  const judged: JudgedQuery[] = [];
  for (const [fold, { delta }] of foldVariants.entries()) {
    const weights = perFold[fold] as Weights;
    judged.push(
      ...(await withReaders(delta, files, (reader) => reader.judge(weights, (id) => foldOf(id) === fold))).flat(),
    );
  }
  const share = (among: readonly JudgedQuery[]) => among.filter(({ isWeak }) => isWeak).length / among.length;
  return {
    answerable: share(judged.filter(({ isAnswerable }) => isAnswerable)),
    none: share(judged.filter(({ isAnswerable }) => !isAnswerable)),
  };
}

async function withReaders<Found>(
  delta: string | undefined,
  from: readonly SetFiles[],
  ask: (reader: SetReader) => Promise<Found>,
): Promise<Found[]> {
  const { embedder, variantFolder } = await openEncoder(delta);
  const found: Found[] = [];
  for (const files of from) {
    const reader = await SetReader.open(files, embedder, variantFolder);
    found.push(await ask(reader));
    reader.close();
    log(`  ${files.name}`);
  }
  await embedder.close();
  return found;
}

function weightsOf(from: readonly CollectedSet[], wanted: (query: CollectedQuery) => boolean): Weights {
  const lists = listsOf(from, wanted);
  return {
    hybrid: trainWeights(lists, armFeatures.hybrid),
    lexical: trainWeights(lists, armFeatures.lexical),
    embedding: trainWeights(lists, armFeatures.embedding),
  };
}

function listsOf(from: readonly CollectedSet[], wanted: (query: CollectedQuery) => boolean) {
  return from.flatMap(({ name, queries }) => {
    const used = queries
      .filter(wanted)
      .map((query) => ({ query, groups: groupsAmong(query) }))
      .filter(({ groups }) => groups.length > 0);
    const weight = ((setWeights[name] ?? 1) * 10) / Math.sqrt(Math.max(1, used.length));
    return used.map(({ query, groups }) => ({ groups, weight, features: query.features }));
  });
}

function groupsAmong({ candidates, groups }: CollectedQuery): number[][] {
  const placeOf = new Map(candidates.map((label, index) => [label, index]));
  return groups.map((group) => group.flatMap((label) => placeOf.get(label) ?? [])).filter((group) => group.length > 0);
}

function writeRanker(weights: Weights, provenance: object): void {
  const rounded = Object.fromEntries(
    Object.entries(weights).map(([arm, byName]) => [
      arm,
      Object.fromEntries(Object.entries(byName).map(([name, value]) => [name, Number(value.toPrecision(5))])),
    ]),
  );
  const file = {
    about:
      'Weights of the linear ranker; made by `npm run train:ranker` from the development halves of the labelled sets.',
    weights: rounded,
    provenance,
  };
  writeFileSync(join(repositoryFolder, 'index-data/ranker.json'), `${JSON.stringify(file, null, 2)}\n`);
}

await main();
