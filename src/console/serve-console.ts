import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolcribError } from '../errors/index.ts';
import { type Console, consolePath } from './console.ts';
import { replyNote } from './reply.ts';

/** No other machine reaches it. */
const host = '127.0.0.1';

export interface ConsoleServing {
  /** `http://127.0.0.1:4321` */
  origin: string;
  /** Resolves after `close()`. */
  closed: Promise<void>;
  /** Calling it twice is harmless. */
  close(): void;
}

/** Serves the console by itself, on this machine alone. Port 0 takes any free one. Throws `port_in_use`. */
export async function serveConsole(page: Console, port: number): Promise<ConsoleServing> {
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (url === '/') return response.writeHead(302, { location: `${consolePath}/` }).end();
    if (page.isPathOf(url)) return void page.handle(request, response);
    replyNote(response, 404, `There is nothing here: the console is ${consolePath}.`);
  });
  const closed = once(server, 'close').then(() => undefined);
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new ToolcribError('port_in_use', `Port ${port} on ${host} is taken by another program.`, { cause: error });
  });
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    closed,
    close: () => {
      page.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
