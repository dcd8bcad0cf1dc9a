import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messageOf, ToolcribError } from '../../errors/index.ts';
import type { Embedder } from '../../model/index.ts';
import type { EmbedPriority } from './embed-queue.ts';
import { closedError, createLocalEmbedder, type ModelTraits } from './local-embedder.ts';
import { miniLmTraits } from './minilm-model.ts';
import { findTransformersLibrary } from './transformers-library.ts';
import { type TransformersModelOptions, transformersTraits } from './transformers-model.ts';
import { embedderOf, type WorkerModel } from './worker-model.ts';
import { startWorkerProcess } from './worker-process.ts';
import type { EmbedRequest, EmbedResponse } from './worker-protocol.ts';

export interface WorkerOptions {
  /** The built `search/embedding/worker.js`. Where there is none, the model runs in the calling process. */
  workerUrl: string | URL;
}

export interface MiniLmOptions extends WorkerOptions {
  /** `index-data/models/toolcrib-minilm-l6`. */
  modelDir: string;
  /** A process of `workerUrl` that was started ahead of time; the embedder takes it over. */
  worker?: ChildProcess | undefined;
}

/** The shipped embedding model. */
export function createMiniLmEmbedder({ modelDir, workerUrl, worker }: MiniLmOptions): Embedder {
  return createWorkerEmbedder({ kind: 'minilm', modelDir }, miniLmTraits, workerUrl, worker);
}

export interface TransformersOptions extends TransformersModelOptions, WorkerOptions {}

/**
 * Any model that transformers.js can run, through `@huggingface/transformers` or `@xenova/transformers`, which the user
 * installs. Rejects with `embedding_library_missing` where neither is found.
 */
export function createTransformersEmbedder({ workerUrl, ...options }: TransformersOptions): Embedder {
  const traits = transformersTraits(options);
  try {
    findTransformersLibrary(options);
  } catch (error) {
    // Told by the first search at once, without a process that would only find out the same.
    return createLocalEmbedder({ ...traits, load: () => Promise.reject(error) });
  }
  return createWorkerEmbedder({ kind: 'transformers', options }, traits, workerUrl);
}

/**
 * A model in a process of its own that is started at the first `ready()` or `embed()`: there it cannot block the event
 * loop, and a fault in native code ends only itself. (onnxruntime 1.17 in a worker thread aborts the whole process when
 * the thread is ended in mid-run; two versions of it in one process do not get along.) A model that cannot be loaded makes
 * both reject with `embedding_model_broken`. Idle, it does not keep the process alive; it ends when the process does,
 * however that ends.
 */
function createWorkerEmbedder(
  model: WorkerModel,
  traits: ModelTraits,
  workerUrl: string | URL,
  worker?: ChildProcess,
): Embedder {
  const workerPath = workerUrl instanceof URL ? fileURLToPath(workerUrl) : workerUrl;
  return existsSync(workerPath) ? new WorkerEmbedder(workerPath, model, traits, worker) : embedderOf(model);
}

interface Pending {
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

class WorkerEmbedder implements Embedder {
  readonly id: string;
  readonly readsAllScripts: boolean;
  readonly #workerPath: string;
  readonly #model: WorkerModel;
  readonly #pending = new Map<number, Pending>();
  #worker: ChildProcess | undefined;
  #loaded: Promise<unknown> | undefined;
  #failure: ToolcribError | undefined;
  #dimensions: number;
  #lastId = 0;

  constructor(
    workerPath: string,
    model: WorkerModel,
    { id, dimensions, readsAllScripts = false }: ModelTraits,
    worker?: ChildProcess,
  ) {
    this.id = id;
    this.readsAllScripts = readsAllScripts;
    this.#dimensions = dimensions;
    this.#workerPath = workerPath;
    this.#model = model;
    if (worker !== undefined && !hasEnded(worker)) this.#worker = this.#adopt(worker);
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  async ready(): Promise<void> {
    this.#loaded ??= this.#request([], 'query');
    await this.#loaded;
  }

  embed(texts: readonly string[], priority: EmbedPriority): Promise<Float32Array[]> {
    return this.#request(texts, priority);
  }

  embedParts(query: string, parts: readonly string[]): Promise<Float32Array[]> {
    return this.#request([query], 'query', parts);
  }

  async close(): Promise<void> {
    this.#fail(closedError());
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined || hasEnded(worker)) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    // It holds nothing that could be lost.
    worker.kill('SIGKILL');
    await ended;
  }

  async #request(
    texts: readonly string[],
    priority: EmbedPriority,
    parts?: readonly string[],
  ): Promise<Float32Array[]> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#worker ??= this.#adopt(startWorkerProcess(this.#workerPath));
    const worker = this.#worker;
    const request: EmbedRequest = { id: ++this.#lastId, model: this.#model, texts, priority, ...(parts && { parts }) };
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject });
      keepAlive(worker, true);
      worker.send(request, (error) => {
        if (error !== null) this.#fail(brokenError(`The embedding worker cannot be reached: ${error.message}`, error));
      });
    });
  }

  #adopt(worker: ChildProcess): ChildProcess {
    worker.on('message', (response) => this.#receive(response as EmbedResponse));
    worker.on('error', (error) => this.#fail(brokenError(`The embedding worker failed: ${messageOf(error)}`, error)));
    worker.on('exit', (code, signal) => this.#fail(brokenError(`The embedding worker ended (${signal ?? code}).`)));
    return worker;
  }

  #receive(response: EmbedResponse): void {
    const request = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (this.#pending.size === 0) keepAlive(this.#worker, false);
    if ('error' in response) {
      const { code, message, next } = response.error;
      const error = new ToolcribError(code, message, next === undefined ? {} : { next });
      // The model stays as it is for as long as the process runs.
      this.#failure ??= error;
      request?.reject(error);
      return;
    }
    this.#dimensions = response.vectors[0]?.length ?? this.#dimensions;
    request?.resolve(response.vectors);
  }

  #fail(error: ToolcribError): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
    keepAlive(this.#worker, false);
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function keepAlive(worker: ChildProcess | undefined, isWaiting: boolean): void {
  if (isWaiting) {
    worker?.ref();
    worker?.channel?.ref();
  } else {
    worker?.unref();
    worker?.channel?.unref();
  }
}

function brokenError(message: string, cause?: unknown): ToolcribError {
  return new ToolcribError('embedding_model_broken', message, { cause });
}
