import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolcribError } from '../errors/index.ts';

const loopbackHosts = ['127.0.0.1', 'localhost', '::1'];

/** True for an address that no other machine can reach. */
export function isLoopback(host: string): boolean {
  return loopbackHosts.includes(host);
}

/** An address as it was typed, without brackets. */
export function plainAddress(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}

/** Throws `address_refused` for an address that other machines could reach, unless every request needs a token. */
export function assertServable(host: string, needsToken: boolean): void {
  if (isLoopback(host) || (needsToken && host !== '')) return;
  throw new ToolcribError(
    'address_refused',
    `toolcrib serves ${JSON.stringify(host)} to callers with a token only, and none is needed so far: anyone who reaches it could call every tool.`,
  );
}

/** Returns the port that was taken. Throws `port_in_use`, `address_unusable`; other faults of the system as they are. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') {
      throw new ToolcribError('port_in_use', `Port ${port} on ${host} is taken by another program.`, { cause: error });
    }
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
      throw new ToolcribError('address_unusable', `This machine has no address ${JSON.stringify(host)}.`, {
        cause: error,
      });
    }
    throw error;
  });
  return (server.address() as AddressInfo).port;
}
