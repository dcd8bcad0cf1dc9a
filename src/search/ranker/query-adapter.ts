import { toUnitLength } from '../embedding/pooling.ts';

/** Maps the vector of a query to where the vectors of the tools that it means lie. */
export type QueryAdapter = (vector: Float32Array) => Float32Array;

/**
 * A linear map x + Wx, scaled to unit length. `values` holds W row by row as whole numbers; `scales[i]` belongs to row i.
 */
export function linearAdapter(values: Int8Array, scales: Float32Array): QueryAdapter {
  const dimensions = scales.length;
  // Once as floating-point numbers: converting each value for each query takes as long as the arithmetic.
  const weights = Float32Array.from(
    values,
    (value, index) => value * (scales[Math.floor(index / dimensions)] as number),
  );
  return (vector) => {
    const adapted = Float32Array.from(vector);
    for (let row = 0; row < dimensions; row++) {
      adapted[row] = (adapted[row] as number) + dot(weights, row * dimensions, vector);
    }
    return toUnitLength(adapted);
  };
}

/** Four sums at once: the engine then need not wait for one addition before the next. */
function dot(weights: Float32Array, offset: number, vector: Float32Array): number {
  let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
  const whole = vector.length - (vector.length % 4);
  for (let index = 0; index < whole; index += 4) {
    const at = offset + index;
    sum0 += (weights[at] as number) * (vector[index] as number);
    sum1 += (weights[at + 1] as number) * (vector[index + 1] as number);
    sum2 += (weights[at + 2] as number) * (vector[index + 2] as number);
    sum3 += (weights[at + 3] as number) * (vector[index + 3] as number);
  }
  for (let index = whole; index < vector.length; index++) {
    sum0 += (weights[offset + index] as number) * (vector[index] as number);
  }
  return sum0 + sum1 + sum2 + sum3;
}
