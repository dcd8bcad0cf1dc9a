import {
  formatProblem,
  loadConfig,
  type ResolvedConfig,
  resolveOptions,
  type ToolcribOptions,
} from '../config/index.ts';
import { ToolcribError } from '../errors/index.ts';
import type { CallOptions, ModeChange, Toolcrib } from '../model/index.ts';
import { createLogger, type LogLevel } from '../telemetry/index.ts';
import type { ComposeOptions } from './compose.ts';
import { EventHub } from './event-hub.ts';
import type { HostHooks } from './host-hooks.ts';
import { ToolcribInstance } from './toolcrib-instance.ts';

export interface CreateOptions extends ToolcribOptions, HostHooks {
  /** A config file; of the keys of a config only `catalog` and `contextWindow` may be given beside it. */
  configPath?: string;
  /** Least level that goes to stderr. Default `silent`: a library prints nothing; listen to `log` events instead. */
  logLevel?: LogLevel;
  /**
   * Secret of at least 32 bytes from which `requestState` is sealed on its way through hosts. Default: made at first need
   * and kept beside the catalog (mode 0600). Give one where several machines serve the same hosts.
   */
  stateSecret?: Uint8Array;
  /** Asks the user what servers want to know during calls that bring no `onElicitation` of their own. */
  onElicitation?: CallOptions['onElicitation'];
}

/**
 * Opens a catalog and returns everything toolcrib can do with it. Starts no server and loads no model until they are
 * needed. Throws `config_not_found`, `config_unreadable`, `config_invalid`, `catalog_unopenable`, `catalog_corrupt`,
 * `catalog_newer`.
 */
export function createToolcrib(options: CreateOptions = {}): Toolcrib {
  const { configPath, logLevel, stateSecret, onElicitation, ...others } = options;
  const { onApproval, rerank, rerankTimeoutMs, embed, count, ...values } = others;
  checkSecret(stateSecret);
  const config = configPath === undefined ? resolveOptions(values) : configAt(configPath, values);
  return openInstance(config, logLevel, {
    hooks: options,
    ...(stateSecret === undefined ? {} : { stateSecret }),
    ...(onElicitation === undefined ? {} : { onElicitation }),
  }).crib;
}

/** What AES-256 and HMAC-SHA-256 are worth no more than. */
const secretMinBytes = 32;

function checkSecret(secret: Uint8Array | undefined): void {
  if (secret === undefined || (secret instanceof Uint8Array && secret.length >= secretMinBytes)) return;
  throw new ToolcribError('config_invalid', `stateSecret must be a Uint8Array of at least ${secretMinBytes} bytes.`, {
    next: 'Mend the options named.',
  });
}

function configAt(path: string, { catalog, contextWindow }: ToolcribOptions): ResolvedConfig {
  const config = loadConfig({ path, ...(catalog === undefined ? {} : { catalogPath: catalog }) });
  if (contextWindow === undefined) return config;
  // Checked as every option is.
  return { ...config, contextWindow: resolveOptions({ contextWindow }).contextWindow };
}

export function openInstance(config: ResolvedConfig, logLevel: LogLevel = 'silent', options: ComposeOptions = {}) {
  const events = new EventHub();
  const logger = createLogger({
    level: logLevel,
    secrets: config.secrets,
    onEntry: (entry) => events.emit('log', entry),
  });
  for (const warning of config.warnings) logger.warn(formatProblem(warning));
  const onModeChanged = (change: ModeChange) => events.emit('modeChanged', change);
  return { crib: new ToolcribInstance(config, logger, events, { ...options, onModeChanged }), logger };
}
