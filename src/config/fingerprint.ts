import { createHash } from 'node:crypto';
import type { ServerTransport } from '../model/index.ts';

/**
 * SHA-256 (hex) over what decides which server is meant: command, arguments, working directory and names of env
 * variables, or the URL. Values of env variables and headers stay out, so a renewed token keeps the catalog.
 */
export function fingerprint(transport: ServerTransport): string {
  const identity =
    transport.kind === 'stdio'
      ? ['stdio', transport.command, transport.args, transport.cwd ?? null, Object.keys(transport.env).sort()]
      : ['http', transport.url];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}
