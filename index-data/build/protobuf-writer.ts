const continuationBit = 0x80;
const payloadMask = 0x7f;
const payloadBits = 7n;

/** Wire types of Protocol Buffers that ONNX files use. */
const wire = { varint: 0, bytes: 2, fixed32: 5 } as const;

/** Writes one Protocol Buffers message field by field; methods return the writer so that calls chain. */
export class ProtobufWriter {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;

  int(field: number, value: number | bigint): this {
    this.tag(field, wire.varint);
    return this.varint(BigInt(value));
  }

  float(field: number, value: number): this {
    this.tag(field, wire.fixed32);
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    return this.push(bytes);
  }

  bytes(field: number, value: Uint8Array): this {
    this.tag(field, wire.bytes);
    this.varint(BigInt(value.length));
    return this.push(value);
  }

  string(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish());
  }

  /** The bytes written so far, as one array. */
  finish(): Uint8Array {
    const all = new Uint8Array(this.length);
    let offset = 0;
    for (const chunk of this.chunks) {
      all.set(chunk, offset);
      offset += chunk.length;
    }
    return all;
  }

  private tag(field: number, wireType: number): void {
    this.varint(BigInt((field << 3) | wireType));
  }

  private varint(value: bigint): this {
    let rest = BigInt.asUintN(64, value);
    const bytes: number[] = [];
    while (rest > BigInt(payloadMask)) {
      bytes.push(Number(rest & BigInt(payloadMask)) | continuationBit);
      rest >>= payloadBits;
    }
    bytes.push(Number(rest));
    return this.push(Uint8Array.from(bytes));
  }

  private push(bytes: Uint8Array): this {
    this.chunks.push(bytes);
    this.length += bytes.length;
    return this;
  }
}
