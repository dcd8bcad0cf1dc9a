import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messageOf, ToolcribError } from '../../errors/index.ts';
import type { Embedder } from '../../model/index.ts';
import type { EmbedPriority } from './embed-queue.ts';
import { closedError, createInProcessEmbedder } from './in-process-embedder.ts';
import { miniLmDimensions, miniLmId } from './minilm-model.ts';
import type { EmbedRequest, EmbedResponse } from './worker-protocol.ts';

export interface MiniLmOptions {
  /** `index-data/models/all-MiniLM-L6-v2`. */
  modelDir: string;
  /** The built `search/embedding/worker.js`. Where there is none, the model runs in the calling process. */
  workerUrl: string | URL;
}

/**
 * The shipped embedding model, in a process of its own that is started at the first `ready()` or `embed()`: there it cannot
 * block the event loop, and a fault in native code ends only itself. (onnxruntime 1.17 in a worker thread aborts the whole
 * process when the thread is ended in mid-run.) A model that cannot be loaded makes both reject with
 * `embedding_model_broken`. Idle, it does not keep the process alive; it ends when the process does, however that ends.
 */
export function createMiniLmEmbedder({ modelDir, workerUrl }: MiniLmOptions): Embedder {
  const workerPath = workerUrl instanceof URL ? fileURLToPath(workerUrl) : workerUrl;
  if (!existsSync(workerPath)) return createInProcessEmbedder({ modelDir });
  return new WorkerEmbedder(workerPath, modelDir);
}

interface Pending {
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

class WorkerEmbedder implements Embedder {
  readonly id = miniLmId;
  readonly dimensions = miniLmDimensions;
  readonly #workerPath: string;
  readonly #modelDir: string;
  readonly #pending = new Map<number, Pending>();
  #worker: ChildProcess | undefined;
  #loaded: Promise<unknown> | undefined;
  #failure: ToolcribError | undefined;
  #lastId = 0;

  constructor(workerPath: string, modelDir: string) {
    this.#workerPath = workerPath;
    this.#modelDir = modelDir;
  }

  async ready(): Promise<void> {
    this.#loaded ??= this.#request([], 'query');
    await this.#loaded;
  }

  embed(texts: readonly string[], priority: EmbedPriority): Promise<Float32Array[]> {
    return this.#request(texts, priority);
  }

  async close(): Promise<void> {
    this.#fail(closedError());
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined || worker.exitCode !== null || worker.signalCode !== null) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    // It holds nothing that could be lost.
    worker.kill('SIGKILL');
    await ended;
  }

  async #request(texts: readonly string[], priority: EmbedPriority): Promise<Float32Array[]> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const request: EmbedRequest = { id: ++this.#lastId, texts, priority };
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { resolve, reject });
      keepAlive(worker, true);
      worker.send(request, (error) => {
        if (error !== null) this.#fail(brokenError(`The embedding worker cannot be reached: ${error.message}`, error));
      });
    });
  }

  #start(): ChildProcess {
    const worker = fork(this.#workerPath, [this.#modelDir], {
      // Loaders and flags of the calling program are not meant for it.
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    worker.on('message', (response) => this.#receive(response as EmbedResponse));
    worker.on('error', (error) => this.#fail(brokenError(`The embedding worker failed: ${messageOf(error)}`, error)));
    worker.on('exit', (code, signal) => this.#fail(brokenError(`The embedding worker ended (${signal ?? code}).`)));
    return worker;
  }

  #receive(response: EmbedResponse): void {
    const request = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (this.#pending.size === 0) keepAlive(this.#worker, false);
    if ('error' in response) request?.reject(new ToolcribError(response.error.code, response.error.message));
    else request?.resolve(response.vectors);
  }

  #fail(error: ToolcribError): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
    keepAlive(this.#worker, false);
  }
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
