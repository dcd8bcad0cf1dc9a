import {
  formatProblem,
  loadConfig,
  type ResolvedConfig,
  resolveOptions,
  type ToolcribOptions,
} from '../config/index.ts';
import type { Toolcrib } from '../model/index.ts';
import { createLogger, type LogLevel } from '../telemetry/index.ts';
import type { ComposeOptions } from './compose.ts';
import { EventHub } from './event-hub.ts';
import { ToolcribInstance } from './toolcrib-instance.ts';

export interface CreateOptions extends ToolcribOptions {
  /** A config file; of the other options only `catalog` may be given beside it. */
  configPath?: string;
  /** Least level that goes to stderr. Default `silent`: a library prints nothing; listen to `log` events instead. */
  logLevel?: LogLevel;
}

/**
 * Opens a catalog and returns everything toolcrib can do with it. Starts no server and loads no model until they are
 * needed. Throws `config_not_found`, `config_unreadable`, `config_invalid`, `catalog_unopenable`, `catalog_corrupt`,
 * `catalog_newer`.
 */
export function createToolcrib(options: CreateOptions = {}): Toolcrib {
  const { configPath, logLevel, ...values } = options;
  const config = configPath === undefined ? resolveOptions(values) : configAt(configPath, values.catalog);
  return openInstance(config, logLevel).crib;
}

function configAt(path: string, catalogPath: string | undefined): ResolvedConfig {
  return loadConfig({ path, ...(catalogPath === undefined ? {} : { catalogPath }) });
}

export function openInstance(config: ResolvedConfig, logLevel: LogLevel = 'silent', options: ComposeOptions = {}) {
  const events = new EventHub();
  const logger = createLogger({
    level: logLevel,
    secrets: config.secrets,
    onEntry: (entry) => events.emit('log', entry),
  });
  for (const warning of config.warnings) logger.warn(formatProblem(warning));
  return { crib: new ToolcribInstance(config, logger, events, options), logger };
}
