/** A query in whole numbers, for the dot products with coded rows: value c is about `scale` × `values[c]`. */
export interface QueryCode {
  /** Padded with 0 to the stride of the rows. */
  values: Int16Array;
  scale: number;
}

/**
 * Twelve bits a value: so fine that the query adds no error to speak of, and so small that the sum over 8,192 columns of
 * 8-bit values stays within 32 bits.
 */
const maxValue = 2_047;

/** Values that are no numbers become 0. */
export function encodeQuery(query: Float32Array, stride: number): QueryCode {
  const values = new Int16Array(stride);
  let max = 0;
  for (const value of query) if (Math.abs(value) > max && Number.isFinite(value)) max = Math.abs(value);
  if (max === 0) return { values, scale: 0 };
  const factor = maxValue / max;
  for (let column = 0; column < Math.min(stride, query.length); column++) {
    const value = Math.round((query[column] as number) * factor);
    values[column] = Math.max(-maxValue, Math.min(maxValue, value));
  }
  return { values, scale: max / maxValue };
}
