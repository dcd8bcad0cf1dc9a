import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolcribError } from '../errors/index.ts';

const loopbackHosts = ['127.0.0.1', 'localhost', '::1'] as const;

export type LoopbackHost = (typeof loopbackHosts)[number];

/** Throws `address_refused` for an address that other machines could reach. */
export function assertLoopback(host: string): LoopbackHost {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const known = loopbackHosts.find((candidate) => candidate === bare);
  if (known !== undefined) return known;
  throw new ToolcribError(
    'address_refused',
    `toolcrib serves ${loopbackHosts.join(', ')} only, not ${JSON.stringify(host)}: anyone who reaches it can call every tool.`,
  );
}

/** Returns the port that was taken. Throws `port_in_use`; other faults of the system as they are. */
export async function listen(server: Server, port: number, host: LoopbackHost): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new ToolcribError('port_in_use', `Port ${port} on ${host} is taken by another program.`, { cause: error });
  });
  return (server.address() as AddressInfo).port;
}
