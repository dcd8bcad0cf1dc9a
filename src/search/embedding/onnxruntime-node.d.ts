/** The part of onnxruntime-node 1.17 that is used here; the package points at declarations that it does not contain. */
declare module 'onnxruntime-node' {
  export interface Tensor {
    readonly data: Float32Array | BigInt64Array;
    readonly dims: readonly number[];
  }

  export type TensorConstructor = new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;

  export interface SessionOptions {
    intraOpNumThreads?: number;
    interOpNumThreads?: number;
    executionMode?: 'sequential' | 'parallel';
    enableCpuMemArena?: boolean;
    graphOptimizationLevel?: 'disabled' | 'basic' | 'extended' | 'all';
  }

  export interface InferenceSession {
    run(feeds: Record<string, Tensor>): Promise<Record<string, Tensor>>;
    release(): Promise<void>;
  }

  export interface Onnxruntime {
    Tensor: TensorConstructor;
    InferenceSession: { create(modelPath: string, options?: SessionOptions): Promise<InferenceSession> };
  }

  const onnxruntime: Onnxruntime;
  // biome-ignore lint/style/noDefaultExport: describes a foreign package
  export default onnxruntime;
}
