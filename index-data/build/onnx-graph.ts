import { ProtobufWriter } from './protobuf-writer.ts';

/** `TensorProto.DataType` of the ONNX specification. */
export const dataType = { float: 1, uint8: 2, int8: 3, int64: 7 } as const;

type DataType = (typeof dataType)[keyof typeof dataType];
type Attribute = number | readonly number[] | { float: number };

/** `AttributeProto.AttributeType`. */
const attributeType = { float: 1, int: 2, ints: 7 } as const;

const irVersion = 8;
const opsetVersion = 17;
const microsoftDomain = 'com.microsoft';
const microsoftOpsetVersion = 1;

/**
 * Builds an ONNX model (IR 8, opset 17, plus onnxruntime's `com.microsoft` operators). Each method returns the name
 * of the value it made, so that a graph reads as nested calls.
 */
export class OnnxGraph {
  private readonly nodes: ProtobufWriter[] = [];
  private readonly initializers: ProtobufWriter[] = [];
  private readonly inputs: ProtobufWriter[] = [];
  private readonly outputs: ProtobufWriter[] = [];

  input(name: string, type: DataType, dimensions: readonly (string | number)[]): string {
    this.inputs.push(valueInfo(name, type, dimensions));
    return name;
  }

  output(name: string, type: DataType, dimensions: readonly (string | number)[]): void {
    this.outputs.push(valueInfo(name, type, dimensions));
  }

  tensor(name: string, type: DataType, dimensions: readonly number[], values: ArrayBufferView): string {
    const tensor = new ProtobufWriter();
    for (const dimension of dimensions) tensor.int(1, dimension);
    tensor.int(2, type).string(8, name);
    tensor.bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    this.initializers.push(tensor);
    return name;
  }

  floats(name: string, dimensions: readonly number[], values: Float32Array): string {
    return this.tensor(name, dataType.float, dimensions, values);
  }

  ints(name: string, values: readonly number[]): string {
    return this.tensor(name, dataType.int64, [values.length], BigInt64Array.from(values, BigInt));
  }

  scalarInt(name: string, value: number): string {
    return this.tensor(name, dataType.int64, [], BigInt64Array.of(BigInt(value)));
  }

  /** Adds a node of the standard operators; `output` names its result where the name matters. */
  op(type: string, inputs: readonly string[], attributes: Record<string, Attribute> = {}, output?: string): string {
    return this.node('', type, inputs, attributes, output);
  }

  /** Adds a node of onnxruntime's own operators. */
  microsoftOp(type: string, inputs: readonly string[]): string {
    return this.node(microsoftDomain, type, inputs, {});
  }

  /** The whole model file. */
  finish(graphName: string, producerName: string): Uint8Array {
    const graph = new ProtobufWriter();
    for (const node of this.nodes) graph.message(1, node);
    graph.string(2, graphName);
    for (const initializer of this.initializers) graph.message(5, initializer);
    for (const input of this.inputs) graph.message(11, input);
    for (const output of this.outputs) graph.message(12, output);
    return new ProtobufWriter()
      .int(1, irVersion)
      .string(2, producerName)
      .message(7, graph)
      .message(8, opset('', opsetVersion))
      .message(8, opset(microsoftDomain, microsoftOpsetVersion))
      .finish();
  }

  private node(
    domain: string,
    type: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute>,
    output = `${type}_${this.nodes.length}`,
  ): string {
    const node = new ProtobufWriter();
    for (const input of inputs) node.string(1, input);
    node.string(2, output).string(3, `${type}_${this.nodes.length}`).string(4, type);
    for (const [name, value] of Object.entries(attributes)) node.message(5, attribute(name, value));
    if (domain !== '') node.string(7, domain);
    this.nodes.push(node);
    return output;
  }
}

function valueInfo(name: string, type: DataType, dimensions: readonly (string | number)[]): ProtobufWriter {
  const shape = new ProtobufWriter();
  for (const dimension of dimensions) {
    const proto = new ProtobufWriter();
    if (typeof dimension === 'string') proto.string(2, dimension);
    else proto.int(1, dimension);
    shape.message(1, proto);
  }
  const tensorType = new ProtobufWriter().int(1, type).message(2, shape);
  return new ProtobufWriter().string(1, name).message(2, new ProtobufWriter().message(1, tensorType));
}

function attribute(name: string, value: Attribute): ProtobufWriter {
  const proto = new ProtobufWriter().string(1, name);
  if (typeof value === 'number') return proto.int(3, value).int(20, attributeType.int);
  if ('float' in value) return proto.float(2, value.float).int(20, attributeType.float);
  for (const entry of value) proto.int(8, entry);
  return proto.int(20, attributeType.ints);
}

function opset(domain: string, version: number): ProtobufWriter {
  return new ProtobufWriter().string(1, domain).int(2, version);
}
