import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { messageOf, ToolcribError } from '../../errors/index.ts';
import type { Embedder } from '../../model/index.ts';
import type { EmbedPriority } from './embed-queue.ts';
import { closedError, createInProcessEmbedder } from './in-process-embedder.ts';
import { miniLmDimensions, miniLmId } from './minilm-model.ts';
import type { EmbedRequest, EmbedResponse, WorkerSetup } from './worker-protocol.ts';

export interface MiniLmOptions {
  /** `index-data/models/all-MiniLM-L6-v2`. */
  modelDir: string;
  /** The built `search/embedding/worker.js`. Where there is none, the model runs in the calling thread. */
  workerUrl: string | URL;
}

/**
 * The shipped embedding model, in a worker thread that is started at the first `ready()` or `embed()`. A model that
 * cannot be loaded makes both reject with `embedding_model_broken`. An idle worker does not keep the process alive.
 */
export function createMiniLmEmbedder({ modelDir, workerUrl }: MiniLmOptions): Embedder {
  const workerPath = workerUrl instanceof URL ? fileURLToPath(workerUrl) : workerUrl;
  if (!existsSync(workerPath)) return createInProcessEmbedder({ modelDir });
  return new WorkerEmbedder(workerPath, { modelDir });
}

interface Pending {
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

class WorkerEmbedder implements Embedder {
  readonly id = miniLmId;
  readonly dimensions = miniLmDimensions;
  private readonly workerPath: string;
  private readonly setup: WorkerSetup;
  private readonly pending = new Map<number, Pending>();
  private worker: Worker | undefined;
  private loaded: Promise<unknown> | undefined;
  private failure: ToolcribError | undefined;
  private lastId = 0;

  constructor(workerPath: string, setup: WorkerSetup) {
    this.workerPath = workerPath;
    this.setup = setup;
  }

  async ready(): Promise<void> {
    this.loaded ??= this.request([], 'query');
    await this.loaded;
  }

  async embed(texts: readonly string[], priority: EmbedPriority): Promise<Float32Array[]> {
    return this.request(texts, priority);
  }

  async close(): Promise<void> {
    this.fail(closedError());
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  private request(texts: readonly string[], priority: EmbedPriority): Promise<Float32Array[]> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const worker = this.start();
    const request: EmbedRequest = { id: ++this.lastId, texts, priority };
    return new Promise((resolve, reject) => {
      this.pending.set(request.id, { resolve, reject });
      worker.ref();
      worker.postMessage(request);
    });
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker;
    const worker = new Worker(this.workerPath, { workerData: this.setup, name: 'toolcrib-embedder' });
    worker.on('message', (response: EmbedResponse) => this.receive(response));
    worker.on('error', (error) => this.fail(brokenError(`The embedding worker failed: ${messageOf(error)}`, error)));
    worker.on('exit', (code) => this.fail(brokenError(`The embedding worker ended with code ${code}.`)));
    this.worker = worker;
    return worker;
  }

  private receive(response: EmbedResponse): void {
    const request = this.pending.get(response.id);
    this.pending.delete(response.id);
    if (this.pending.size === 0) this.worker?.unref();
    if ('error' in response) request?.reject(new ToolcribError(response.error.code, response.error.message));
    else request?.resolve(response.vectors);
  }

  private fail(error: ToolcribError): void {
    this.failure ??= error;
    for (const { reject } of this.pending.values()) reject(this.failure);
    this.pending.clear();
    this.worker?.unref();
  }
}

function brokenError(message: string, cause?: unknown): ToolcribError {
  return new ToolcribError('embedding_model_broken', message, { cause });
}
