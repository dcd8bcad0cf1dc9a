/** The largest magnitude of a value in a row. */
const maxValue = 127;
/** Bytes of a stored vector before its values: the scale, a little-endian 32-bit float. */
export const scaleBytes = Float32Array.BYTES_PER_ELEMENT;

/**
 * A vector as it is stored: 8 bits a value and one scale, a quarter of its size (scalar quantisation by the vector's own
 * maximum). Values that are no numbers become 0.
 */
export function encodeVector(vector: Float32Array): Uint8Array {
  let max = 0;
  for (const value of vector) if (Math.abs(value) > max && Number.isFinite(value)) max = Math.abs(value);
  const code = new Uint8Array(scaleBytes + vector.length);
  new DataView(code.buffer).setFloat32(0, max / maxValue, true);
  if (max === 0) return code;
  const values = new Int8Array(code.buffer, scaleBytes);
  const factor = maxValue / max;
  for (let index = 0; index < values.length; index++) {
    const value = Math.round((vector[index] as number) * factor);
    values[index] = Math.max(-maxValue, Math.min(maxValue, value));
  }
  return code;
}

/** What `encodeVector` kept of a vector. */
export function decodeVector(code: Uint8Array): Float32Array {
  const scale = new DataView(code.buffer, code.byteOffset).getFloat32(0, true);
  const values = new Int8Array(code.buffer, code.byteOffset + scaleBytes, code.byteLength - scaleBytes);
  return Float32Array.from(values, (value) => value * scale);
}
