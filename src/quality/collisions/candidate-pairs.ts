import type { VectorMatrix } from '../../model/index.ts';
import { embeddingOrdinal, VectorScan } from '../../search/index.ts';
import type { ComparedTool } from './compared-tool.ts';

/** Nearest tools by vector that are looked at for each tool and kind of text. */
const neighbours = 12;
/** Tools with the same nouns are all compared up to so many; of more, each with those next to it and its nearest by vectors. */
const blockMax = 120;

/** Places of two tools in the list, the lower first. */
export type Pair = readonly [number, number];

/**
 * The pairs worth a close look, out of all: tools with the same nouns in their names, whatever the verb, or with the
 * same description, and each tool's nearest by the vectors of its name and of its whole text. Cheap: two scans of the vectors a tool.
 */
export function candidatePairs(tools: readonly ComparedTool[], matrix: VectorMatrix | undefined): Pair[] {
  const pairs = new Map<number, Pair>();
  const add = (a: number, b: number) => {
    if (a !== b) pairs.set(Math.min(a, b) * tools.length + Math.max(a, b), [Math.min(a, b), Math.max(a, b)]);
  };
  for (const block of blocksOf(tools)) {
    const reach = block.length > blockMax ? neighbours : block.length;
    for (const [at, a] of block.entries()) for (const b of block.slice(at + 1, at + 1 + reach)) add(a, b);
  }
  if (matrix !== undefined) {
    for (const ordinal of [embeddingOrdinal.name, embeddingOrdinal.whole]) {
      for (const [a, b] of nearest(tools, new VectorScan(matrix, ordinal))) add(a, b);
    }
  }
  return [...pairs.values()];
}

/** Tools with the same nouns, and those with the same words in their descriptions. */
function blocksOf(tools: readonly ComparedTool[]): number[][] {
  const blocks = new Map<string, number[]>();
  const add = (key: string, at: number) => {
    const block = blocks.get(key);
    if (block === undefined) blocks.set(key, [at]);
    else block.push(at);
  };
  for (const [at, { nouns, action, description }] of tools.entries()) {
    add(`name ${nouns.size === 0 ? action.words.join(' ') : [...nouns].sort().join(' ')}`, at);
    if (description.size > 0) add(`description ${[...description].sort().join(' ')}`, at);
  }
  return [...blocks.values()];
}

function* nearest(tools: readonly ComparedTool[], scan: VectorScan): Iterable<Pair> {
  const placeOfKey = new Map(tools.map(({ tool }, at) => [tool.key, at]));
  for (const [at, { tool }] of tools.entries()) {
    const vector = scan.vectorOf(tool.key);
    if (vector === undefined) continue;
    const cosines = scan.cosines(vector);
    for (const row of highest(cosines, neighbours + 1)) {
      const other = placeOfKey.get(scan.toolKeys[row] as number);
      if (other !== undefined) yield [at, other];
    }
  }
}

/** The places of the highest values, in no order. */
function highest(values: Float32Array, count: number): number[] {
  const kept: number[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const [at, value] of values.entries()) {
    if (kept.length === count && value <= least) continue;
    kept.push(at);
    if (kept.length > count) kept.splice(lowestAt(kept, values), 1);
    if (kept.length === count) least = values[kept[lowestAt(kept, values)] as number] as number;
  }
  return kept;
}

function lowestAt(places: readonly number[], values: Float32Array): number {
  let lowest = 0;
  for (const [at, place] of places.entries()) {
    if ((values[place] as number) < (values[places[lowest] as number] as number)) lowest = at;
  }
  return lowest;
}
