/** Symmetric range: 127 levels on each side of zero. */
const levels = 127;
/** Keeps the scale of an all-zero row from being zero. */
const tinyScale = 1e-9;

export interface QuantizedMatrix {
  values: Uint8Array;
  scales: Float32Array;
}

/** The stored value of zero in `quantizeWeights`. */
export const zeroPoint = 128;

/**
 * A linear layer's weight `[outputs, inputs]` to its transpose `[inputs, outputs]` in unsigned 8 bit, one scale for
 * each output. Unsigned, because signed weights saturate and change the result on CPUs without VNNI.
 */
export function quantizeWeights(weight: Float32Array, outputs: number, inputs: number): QuantizedMatrix {
  const values = new Uint8Array(outputs * inputs);
  const scales = new Float32Array(outputs);
  for (let output = 0; output < outputs; output++) {
    const row = weight.subarray(output * inputs, (output + 1) * inputs);
    const scale = scaleOf(row);
    scales[output] = scale;
    row.forEach((value, input) => {
      const level = Math.round(value / scale);
      values[input * outputs + output] = Math.max(-levels, Math.min(levels, level)) + zeroPoint;
    });
  }
  return { values, scales };
}

/** An embedding table to signed 8 bit, one scale for each row. */
export function quantizeRows(table: Float32Array, width: number): { values: Int8Array; scales: Float32Array } {
  const rows = table.length / width;
  const values = new Int8Array(table.length);
  const scales = new Float32Array(rows);
  for (let index = 0; index < rows; index++) {
    const row = table.subarray(index * width, (index + 1) * width);
    // Rounded by the scale as it is stored, which is what the model multiplies with.
    const scale = Math.fround(scaleOf(row));
    scales[index] = scale;
    row.forEach((value, column) => {
      values[index * width + column] = Math.round(value / scale);
    });
  }
  return { values, scales };
}

function scaleOf(row: Float32Array): number {
  return row.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) / levels || tinyScale;
}
