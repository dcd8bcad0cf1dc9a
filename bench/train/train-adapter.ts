import { listwiseLoss, type RankedList } from './listwise.ts';
import { minimize } from './minimize.ts';

/** A query's vector, and those of its candidates' main texts. */
export interface VectorList extends RankedList {
  query: Float32Array;
  tools: readonly Float32Array[];
}

/** Turns cosines into scores: they lie within a few tenths of each other. */
const temperature = 0.07;
/** Holds the map near the identity. Among 30, 100 and 300 the best out of fold. */
const regularization = 100;
const iterations = 25;

/** W of the map x + Wx that brings queries nearer to the tools they mean, row by row. */
export function trainAdapter(lists: readonly VectorList[], dimensions: number): Float32Array {
  const objective = (w: Float64Array) => {
    const gradient = w.map((value) => regularization * value);
    let value = (regularization / 2) * w.reduce((sum, entry) => sum + entry * entry, 0);
    for (const list of lists) {
      const adapted = adapt(list.query, w, dimensions);
      const scores = Float64Array.from(list.tools, (tool) => dot(adapted, tool) / temperature);
      const { loss, slopes } = listwiseLoss(scores, list);
      value += loss;
      addGradient(gradient, list, slopes, dimensions);
    }
    return { value, gradient };
  };
  return Float32Array.from(minimize(objective, new Float64Array(dimensions * dimensions), iterations));
}

function adapt(query: Float32Array, w: Float64Array, dimensions: number): Float64Array {
  const adapted = Float64Array.from(query);
  for (let row = 0; row < dimensions; row++) {
    let sum = 0;
    const start = row * dimensions;
    for (let column = 0; column < dimensions; column++) {
      sum += (w[start + column] as number) * (query[column] as number);
    }
    adapted[row] = (adapted[row] as number) + sum;
  }
  return adapted;
}

/** d loss / dW[row][column] = sum over tools of slope × tool[row] × query[column] / temperature. */
function addGradient(
  gradient: Float64Array,
  { query, tools }: VectorList,
  slopes: Float64Array,
  dimensions: number,
): void {
  const pull = new Float64Array(dimensions);
  for (const [index, tool] of tools.entries()) {
    const slope = (slopes[index] as number) / temperature;
    if (Math.abs(slope) < 1e-9) continue;
    for (let row = 0; row < dimensions; row++) pull[row] = (pull[row] as number) + slope * (tool[row] as number);
  }
  for (let row = 0; row < dimensions; row++) {
    const factor = pull[row] as number;
    const start = row * dimensions;
    for (let column = 0; column < dimensions; column++) {
      gradient[start + column] = (gradient[start + column] as number) + factor * (query[column] as number);
    }
  }
}

function dot(a: Float64Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}
