import { dataType, OnnxGraph } from './onnx-graph.ts';
import { quantizeRows, quantizeWeights, zeroPoint } from './quantize.ts';

/** Sizes of all-MiniLM-L6-v2, as in its config.json. */
const hidden = 384;
const layers = 6;
const heads = 12;
const headSize = hidden / heads;
const feedForward = 1536;
const vocabulary = 30522;
const positions = 512;
const layerNormEpsilon = 1e-12;
/** Added to the attention score of padding: softmax makes it zero. */
const paddingPenalty = -10000;

/**
 * The BERT encoder as an ONNX model file: linear layers run as dynamically quantised uint8 products, everything else in 32-bit
 * floats. Inputs and output are named as transformers.js expects them.
 */
export function minilmOnnx(name: string, weights: ReadonlyMap<string, Float32Array>): Uint8Array {
  const graph = new OnnxGraph();
  const sequence = ['batch', 'seq'];
  const inputIds = graph.input('input_ids', dataType.int64, sequence);
  const attentionMask = graph.input('attention_mask', dataType.int64, sequence);
  const tokenTypes = graph.input('token_type_ids', dataType.int64, sequence);
  const encoder = new EncoderBuilder(graph, weights);
  let state = encoder.embeddings(inputIds, tokenTypes);
  const mask = encoder.attentionBias(attentionMask);
  for (let layer = 0; layer < layers; layer++) state = encoder.layer(`encoder.layer.${layer}`, state, mask);
  graph.op('Identity', [state], {}, 'last_hidden_state');
  graph.output('last_hidden_state', dataType.float, [...sequence, hidden]);
  return graph.finish(name, 'toolcrib');
}

class EncoderBuilder {
  private readonly graph: OnnxGraph;
  private readonly weights: ReadonlyMap<string, Float32Array>;
  private readonly splitHeads: string;
  private readonly joinHeads: string;
  private readonly parts: string[];

  constructor(graph: OnnxGraph, weights: ReadonlyMap<string, Float32Array>) {
    this.graph = graph;
    this.weights = weights;
    this.splitHeads = graph.ints('split_heads', [0, 0, 3, heads, headSize]);
    this.joinHeads = graph.ints('join_heads', [0, 0, hidden]);
    this.parts = ['query', 'key', 'value'].map((name, index) => graph.scalarInt(`part_${name}`, index));
  }

  embeddings(inputIds: string, tokenTypes: string): string {
    const { graph } = this;
    const words = this.wordEmbeddings(inputIds);
    const length = graph.op('Gather', [graph.op('Shape', [inputIds]), graph.scalarInt('axis_seq', 1)]);
    const range = graph.op('Range', [graph.scalarInt('first', 0), length, graph.scalarInt('step', 1)]);
    const places = graph.op('Gather', [
      this.constant('embeddings.position_embeddings.weight', [positions, hidden]),
      range,
    ]);
    const types = graph.op('Gather', [
      this.constant('embeddings.token_type_embeddings.weight', [2, hidden]),
      tokenTypes,
    ]);
    const sum = graph.op('Add', [graph.op('Add', [words, types]), places]);
    return this.layerNorm(sum, 'embeddings.LayerNorm');
  }

  /** 0 for tokens, a large negative number for padding, shaped to be added to attention scores. */
  attentionBias(attentionMask: string): string {
    const { graph } = this;
    const mask = graph.op('Cast', [attentionMask], { to: dataType.float });
    const padding = graph.op('Sub', [graph.floats('one', [1], Float32Array.of(1)), mask]);
    const bias = graph.op('Mul', [padding, graph.floats('padding_penalty', [1], Float32Array.of(paddingPenalty))]);
    return graph.op('Unsqueeze', [bias, graph.ints('mask_axes', [1, 2])]);
  }

  layer(name: string, input: string, mask: string): string {
    const { graph } = this;
    const attended = this.attention(`${name}.attention.self`, input, mask);
    const projected = this.dense(`${name}.attention.output.dense`, attended, hidden, hidden);
    const state = this.layerNorm(graph.op('Add', [projected, input]), `${name}.attention.output.LayerNorm`);
    const wide = graph.microsoftOp('Gelu', [this.dense(`${name}.intermediate.dense`, state, feedForward, hidden)]);
    const narrow = this.dense(`${name}.output.dense`, wide, hidden, feedForward);
    return this.layerNorm(graph.op('Add', [narrow, state]), `${name}.output.LayerNorm`);
  }

  private wordEmbeddings(inputIds: string): string {
    const { graph } = this;
    const { values, scales } = quantizeRows(this.weight('embeddings.word_embeddings.weight'), hidden);
    const table = graph.tensor('word_embeddings', dataType.int8, [vocabulary, hidden], values);
    const rows = graph.op('Cast', [graph.op('Gather', [table, inputIds])], { to: dataType.float });
    const scale = graph.op('Gather', [graph.floats('word_embedding_scales', [vocabulary, 1], scales), inputIds]);
    return graph.op('Mul', [rows, scale]);
  }

  /** Query, key and value come from one product; the 1/√d of attention is folded into the query weights. */
  private attention(name: string, input: string, mask: string): string {
    const { graph } = this;
    const { weight, bias } = this.stackedQueryKeyValue(name);
    const stacked = this.linear(`${name}.qkv`, input, weight, bias, 3 * hidden, hidden);
    const split = graph.op('Transpose', [graph.op('Reshape', [stacked, this.splitHeads])], { perm: [2, 0, 3, 1, 4] });
    const [query, key, value] = this.parts.map((part) => graph.op('Gather', [split, part], { axis: 0 })) as [
      string,
      string,
      string,
    ];
    const scores = graph.op('MatMul', [query, graph.op('Transpose', [key], { perm: [0, 1, 3, 2] })]);
    const attention = graph.op('Softmax', [graph.op('Add', [scores, mask])], { axis: -1 });
    const context = graph.op('Transpose', [graph.op('MatMul', [attention, value])], { perm: [0, 2, 1, 3] });
    return graph.op('Reshape', [context, this.joinHeads]);
  }

  private stackedQueryKeyValue(name: string): { weight: Float32Array; bias: Float32Array } {
    const weight = new Float32Array(3 * hidden * hidden);
    const bias = new Float32Array(3 * hidden);
    ['query', 'key', 'value'].forEach((part, index) => {
      const factor = part === 'query' ? 1 / Math.sqrt(headSize) : 1;
      weight.set(
        this.weight(`${name}.${part}.weight`).map((value) => value * factor),
        index * hidden * hidden,
      );
      bias.set(
        this.weight(`${name}.${part}.bias`).map((value) => value * factor),
        index * hidden,
      );
    });
    return { weight, bias };
  }

  private dense(name: string, input: string, outputs: number, inputs: number): string {
    return this.linear(name, input, this.weight(`${name}.weight`), this.weight(`${name}.bias`), outputs, inputs);
  }

  private linear(
    name: string,
    input: string,
    weight: Float32Array,
    bias: Float32Array,
    outputs: number,
    inputs: number,
  ): string {
    const { graph } = this;
    const { values, scales } = quantizeWeights(weight, outputs, inputs);
    return graph.microsoftOp('DynamicQuantizeMatMul', [
      input,
      graph.tensor(`${name}.weight`, dataType.uint8, [inputs, outputs], values),
      graph.floats(`${name}.scale`, [outputs], scales),
      graph.tensor(`${name}.zero_point`, dataType.uint8, [outputs], new Uint8Array(outputs).fill(zeroPoint)),
      graph.floats(`${name}.bias`, [outputs], bias),
    ]);
  }

  private layerNorm(input: string, name: string): string {
    const scale = this.constant(`${name}.weight`, [hidden]);
    const bias = this.constant(`${name}.bias`, [hidden]);
    return this.graph.op('LayerNormalization', [input, scale, bias], {
      axis: -1,
      epsilon: { float: layerNormEpsilon },
    });
  }

  private constant(name: string, dimensions: readonly number[]): string {
    return this.graph.floats(name, dimensions, this.weight(name));
  }

  private weight(name: string): Float32Array {
    const values = this.weights.get(name);
    if (values === undefined) throw new Error(`The weights lack the tensor ${name}.`);
    return values;
  }
}
