/**
 * Reads the half-precision tensors of a safetensors file (https://huggingface.co/docs/safetensors) as 32-bit floats.
 * Other tensors are left out: this model has only index tables among them.
 */
export function readSafetensors(file: Uint8Array): Map<string, Float32Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const headerLength = Number(view.getBigUint64(0, true));
  const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerLength)));
  const start = 8 + headerLength;
  const tensors = new Map<string, Float32Array>();
  for (const [name, entry] of Object.entries(header as Record<string, unknown>)) {
    const { dtype, data_offsets } = entry as { dtype?: string; data_offsets: [number, number] };
    if (dtype === 'F16') tensors.set(name, halfToFloat(view, start + data_offsets[0], start + data_offsets[1]));
  }
  return tensors;
}

const exponentBias = 15;
const subnormalStep = 2 ** -24;
const fractionSteps = 1024;

/** IEEE 754 binary16 to binary32; exact, every half is a float. */
function halfToFloat(view: DataView, start: number, end: number): Float32Array {
  const floats = new Float32Array((end - start) / 2);
  for (let index = 0; index < floats.length; index++) {
    const half = view.getUint16(start + 2 * index, true);
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    if (exponent === 31) throw new Error('Weights hold an infinity or a NaN.');
    const size =
      exponent === 0 ? fraction * subnormalStep : (1 + fraction / fractionSteps) * 2 ** (exponent - exponentBias);
    floats[index] = half & 0x8000 ? -size : size;
  }
  return floats;
}
