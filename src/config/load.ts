import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf, ToolcribError } from '../errors/index.ts';
import { configChainVariable, extendConfigChain } from './config-chain.ts';
import { processEnvironment } from './environment.ts';
import { parseJsonc } from './parse-jsonc.ts';
import { defaultCatalogPath, defaultConfigPath } from './paths.ts';
import { type ResolveContext, type ResolvedConfig, resolveConfig } from './resolve.ts';

export interface LoadOptions extends ResolveContext {
  /** The config file. Default: `toolcrib.json` in the user's config directory. */
  path?: string;
  /** Overrides the catalog that the config names; taken from the current directory. */
  catalogPath?: string;
}

/** Files of hosts that a newcomer may mean. They are named in an error and never read on their own. */
const familiarFiles = ['toolcrib.json', '.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json'];

/** A config is written by hand: a larger file is not one. */
const configMaxBytes = 4 * 1024 * 1024;

/**
 * Reads a config file: toolcrib's own, or one of another host. Throws `config_not_found`, `config_unreadable`, and
 * `config_invalid` with all problems at once (`details.problems`).
 */
export function loadConfig(options: LoadOptions = {}): ResolvedConfig {
  const path = resolve(options.path ?? defaultConfigPath());
  const text = readConfig(path, options.path !== undefined);
  const { source, problems } = parseJsonc(path, text);
  const config = resolveConfig(
    source,
    options,
    { baseDirectory: dirname(path), defaultCatalog: () => defaultCatalogPath(path) },
    problems,
  );
  const chain = extendConfigChain(path, options.env ?? processEnvironment());
  return { ...config, ...catalogOverride(options.catalogPath), markEnv: { [configChainVariable]: chain } };
}

function readConfig(path: string, isNamed: boolean): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw notFound(path, isNamed);
  if (stats.isDirectory()) throw unreadable(path, 'it is a directory');
  if (stats.size > configMaxBytes) throw unreadable(path, `it is larger than ${configMaxBytes} bytes`);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, messageOf(error), error);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): ToolcribError {
  return new ToolcribError('config_unreadable', `${path} cannot be read: ${reason}.`, {
    details: { path },
    ...(cause !== undefined && { cause }),
  });
}

function notFound(path: string, isNamed: boolean): ToolcribError {
  if (isNamed) {
    const next = 'Check the path after --config.';
    return new ToolcribError('config_not_found', `There is no file ${path}.`, { next, details: { path } });
  }
  const familiar = familiarFiles.find((file) => existsSync(join(process.cwd(), file)));
  const next =
    familiar === undefined
      ? 'Take over the servers of a host with `toolcrib import`, write one with `toolcrib init`, or name one with --config FILE.'
      : `Use the one in this directory with --config ${familiar}, or take it over with \`toolcrib import ${familiar}\`.`;
  const message = `No config was named and there is none at ${path}.`;
  return new ToolcribError('config_not_found', message, { next, details: { path } });
}

function catalogOverride(catalogPath: string | undefined): { catalogPath?: string } {
  if (catalogPath === undefined) return {};
  return { catalogPath: catalogPath === ':memory:' ? catalogPath : resolve(catalogPath) };
}
