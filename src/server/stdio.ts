import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../errors/index.ts';
import type { Router } from '../model/index.ts';
import type { FaceOptions } from './face.ts';
import { notifyListChanged } from './list-changed.ts';
import { createProtocolServer } from './protocol-server.ts';

export interface StdioOptions extends FaceOptions {
  /** Where requests come from. Default: standard input. */
  input?: Readable;
  /** Where answers go; nothing but protocol messages is written to it. Default: standard output. */
  output?: Writable;
}

export interface StdioServing {
  /** Resolves when the host has closed its end, or after `close()`. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves one host over a pair of streams. The host's first message decides the protocol revision. Calls that are
 * still running when the host leaves are cancelled.
 */
export function serveStdio(router: Router, options: StdioOptions): StdioServing {
  const face = { ...options, router };
  const transport = new ObservedTransport(options.input ?? process.stdin, options.output ?? process.stdout);
  const live = new Set<Server>();
  const connection = serveConnection(
    ({ era }) => {
      const server = createProtocolServer(face, era);
      live.add(server);
      server.onclose = () => live.delete(server);
      return server;
    },
    {
      transport,
      maxSubscriptions,
      onerror: (error) =>
        options.logger.warn('the host sent something that is no valid message', { error: messageOf(error) }),
    },
  );
  const stopListening = router.onListChanged(() => notifyListChanged(live, options.logger));
  return { closed: transport.closed.then(stopListening), close: () => connection.close() };
}

/** One host needs one; the rest is room for a host that opens a new one before it closes the old. */
const maxSubscriptions = 16;

/** 16 MiB a message: above the 10 MiB that a call may carry on to a server, and still a bound on what is buffered. */
const maxBufferSize = 16 * 1024 * 1024;

class ObservedTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  #markClosed: () => void = () => {};

  constructor(input: Readable, output: Writable) {
    super(input, output, { maxBufferSize });
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#markClosed();
  }
}
