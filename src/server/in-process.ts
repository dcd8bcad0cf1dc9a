import { PassThrough } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Router } from '../model/index.ts';
import type { FaceOptions } from './face.ts';
import { serveStdio } from './stdio.ts';

/** The transport of an MCP client (SDK `Transport`), as far as whoever connects one needs it. */
export interface ClientTransport {
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  /** Ends the server as well; calls that still run are cancelled. */
  close(): Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?(message: unknown): void;
}

export interface InProcessServing {
  /** The host's end. */
  transport: ClientTransport;
  /** Resolves when either end was closed. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** 16 MiB a message, as over standard input. */
const maxBufferSize = 16 * 1024 * 1024;

/**
 * Serves one host in this very process, over a pair of streams: what passes is serialised as between processes, so neither end
 * can change what the other holds. The host's first message decides the protocol revision.
 */
export function serveInProcess(router: Router, options: FaceOptions): InProcessServing {
  const toServer = new PassThrough();
  const toHost = new PassThrough();
  const serving = serveStdio(router, { ...options, input: toServer, output: toHost });
  const closed = serving.closed.finally(() => toHost.end());
  return {
    transport: new HostTransport(toHost, toServer) as ClientTransport,
    closed,
    close: () => serving.close(),
  };
}

/** A transport over two streams does the same at either end, but for leaving: the host's ends the server's. */
class HostTransport extends StdioServerTransport {
  readonly #toServer: PassThrough;

  constructor(fromServer: PassThrough, toServer: PassThrough) {
    super(fromServer, toServer, { maxBufferSize });
    this.#toServer = toServer;
  }

  override async close(): Promise<void> {
    this.#toServer.end();
    await super.close();
  }
}
