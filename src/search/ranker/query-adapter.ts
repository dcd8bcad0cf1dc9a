/** Maps the vector of a query to where the vectors of the tools that it means lie. */
export type QueryAdapter = (vector: Float32Array) => Float32Array;

/**
 * A linear map x + Wx, scaled to unit length. `values` holds W row by row as whole numbers; `scales[i]` belongs to row i.
 */
export function linearAdapter(values: Int8Array, scales: Float32Array): QueryAdapter {
  const dimensions = scales.length;
  return (vector) => {
    const adapted = Float32Array.from(vector);
    for (let row = 0; row < dimensions; row++) {
      let sum = 0;
      for (let column = 0; column < dimensions; column++) {
        sum += (values[row * dimensions + column] as number) * (vector[column] as number);
      }
      adapted[row] = (adapted[row] as number) + (scales[row] as number) * sum;
    }
    return toUnitLength(adapted);
  };
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
