import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How this very toolcrib was started. */
export interface OwnProgram {
  /** Absolute path of Node. */
  node: string;
  /** Absolute path of `bin.js`. */
  bin: string;
  version: string;
  platform: NodeJS.Platform;
}

/**
 * A command that a host can start toolcrib by, whatever its working directory and `PATH`. What npx fetched is not there for
 * long, so that is started by npx again, in the same version.
 */
export function toolcribCommand({ node, bin, version, platform }: OwnProgram): { command: string; args: string[] } {
  if (!/[/\\]_npx[/\\]/.test(bin)) return { command: node, args: [bin] };
  const args = ['-y', `toolcrib@${version}`];
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'npx', ...args] };
  const npx = join(dirname(node), 'npx');
  return { command: existsSync(npx) ? npx : 'npx', args };
}
