import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { ToolcribError } from '../errors/index.ts';

/** Tells a toolcrib that was started as a server which configs it was started from, outermost first. */
export const configChainVariable = 'TOOLCRIB_CONFIG_CHAIN';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The chain that servers of this config get. Throws `config_invalid` when the config is in its own chain: it lists toolcrib
 * with itself, and each would start the next without end.
 */
export function extendConfigChain(configPath: string, env: Environment): string {
  const mark = createHash('sha256').update(realpathSync(configPath)).digest('hex').slice(0, markLength);
  const chain = (env[configChainVariable] ?? '').split(',').filter((text) => text !== '');
  if (chain.includes(mark)) {
    throw new ToolcribError('config_invalid', `${configPath} lists toolcrib itself with this same config.`, {
      next: 'Keep your servers in a file of their own, without the entry for toolcrib, and name that file with --config.',
    });
  }
  return [...chain, mark].join(',');
}

const markLength = 16;
