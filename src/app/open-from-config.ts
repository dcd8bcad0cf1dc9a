import { loadConfig, type ResolvedConfig, resolveOptions } from '../config/index.ts';
import { isToolcribError } from '../errors/index.ts';
import type { Embedder, LogEntry, Logger } from '../model/index.ts';
import type { ToolcribInstance } from './toolcrib-instance.ts';

export interface OpenOptions {
  configPath?: string;
  catalogPath?: string;
  /** Default `warn`. */
  logLevel?: LogEntry['level'];
  /** True for a command that answers and ends: it starts no server behind its answer. */
  isOneShot?: boolean;
  /** The embedding model will be needed: it starts to load at once, beside everything else. */
  needsModel?: boolean;
}

export interface Opened {
  crib: ToolcribInstance;
  config: ResolvedConfig;
  logger: Logger;
}

/** What the command line opens: the config named, or the user's own. Throws what `createToolcrib` throws. */
export async function openFromConfig(options: OpenOptions): Promise<Opened> {
  const { logLevel = 'warn', isOneShot = false, needsModel = false } = options;
  const config = userConfig(options.configPath, options.catalogPath);
  const embedder = needsModel ? await startEmbedder(config) : undefined;
  try {
    // Loaded behind the start of the model, which is what a cold search waits for.
    const { openInstance } = await import('./create-toolcrib.ts');
    return { ...openInstance(config, logLevel, { isOneShot, ...(embedder && { embedder }) }), config };
  } catch (error) {
    await embedder?.close();
    throw error;
  }
}

async function startEmbedder(config: ResolvedConfig): Promise<Embedder | undefined> {
  const { openEmbedder } = await import('./open-embedder.ts');
  const embedder = openEmbedder(config);
  // The search asks again, and tells what went wrong.
  embedder?.ready().catch(() => undefined);
  return embedder;
}

/** A catalog that was filled through the library has no config; naming it is enough. */
function userConfig(path: string | undefined, catalogPath: string | undefined): ResolvedConfig {
  try {
    return loadConfig({
      ...(path === undefined ? {} : { path }),
      ...(catalogPath === undefined ? {} : { catalogPath }),
    });
  } catch (error) {
    const hasOnlyCatalog = path === undefined && catalogPath !== undefined;
    if (hasOnlyCatalog && isToolcribError(error, 'config_not_found')) return resolveOptions({ catalog: catalogPath });
    throw error;
  }
}
