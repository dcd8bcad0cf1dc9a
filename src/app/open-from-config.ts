import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { ResolvedConfig } from '../config/index.ts';
import { builtFile, type Embedder, type LogEntry, type Logger } from '../model/index.ts';
import type { ToolcribInstance } from './toolcrib-instance.ts';

export interface OpenOptions {
  configPath?: string;
  catalogPath?: string;
  /** Default `warn`. */
  logLevel?: LogEntry['level'];
  /** True for a command that answers and ends: it starts no server behind its answer. */
  isOneShot?: boolean;
  /** True for callers over HTTP: a person is asked by default before anything changes. */
  isOverHttp?: boolean;
  /** The embedding model will be needed: it starts to load at once, beside everything else. */
  needsModel?: boolean;
}

export interface Opened {
  crib: ToolcribInstance;
  config: ResolvedConfig;
  logger: Logger;
}

/**
 * What the command line opens: the config named, or the user's own. Throws what `createToolcrib` throws.
 *
 * The start of the model is what a cold search waits for, so everything is loaded in the order in which the model needs
 * it: a process to run in, the config that says which model it is, and the rest while the model loads.
 */
export async function openFromConfig(options: OpenOptions): Promise<Opened> {
  const { logLevel = 'warn', isOneShot = false, isOverHttp = false, needsModel = false } = options;
  const worker = needsModel ? await startWorker() : undefined;
  let embedder: Embedder | undefined;
  try {
    const { userConfig } = await import('./user-config.ts');
    const config = userConfig(options.configPath, options.catalogPath);
    if (needsModel) embedder = await startEmbedder(config, worker);
    const { openInstance } = await import('./create-toolcrib.ts');
    return { ...openInstance(config, logLevel, { isOneShot, isOverHttp, ...(embedder && { embedder }) }), config };
  } catch (error) {
    await embedder?.close();
    worker?.kill('SIGKILL');
    throw error;
  }
}

/** Undefined where the program is not built, and the model runs in this process. */
async function startWorker(): Promise<ChildProcess | undefined> {
  const path = builtFile('search/embedding/worker');
  if (!existsSync(path)) return undefined;
  const { startWorkerProcess } = await import('../search/embedding/worker-process.ts');
  return startWorkerProcess(path);
}

async function startEmbedder(config: ResolvedConfig, worker: ChildProcess | undefined): Promise<Embedder | undefined> {
  const { openEmbedder } = await import('./open-embedder.ts');
  const embedder = openEmbedder(config, worker);
  // The search asks again, and tells what went wrong.
  embedder?.ready().catch(() => undefined);
  return embedder;
}
