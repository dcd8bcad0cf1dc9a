/** The mean of the row vectors in `states`, scaled to unit length (sentence-transformers' mean pooling). */
export function meanPool(states: Float32Array, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (let offset = 0; offset < states.length; offset += dimensions) {
    for (let column = 0; column < dimensions; column++) {
      vector[column] = (vector[column] ?? 0) + (states[offset + column] ?? 0);
    }
  }
  return toUnitLength(vector);
}

/** Scales in place to length 1; a zero vector stays zero. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const factor = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * factor;
  return vector;
}
