import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Authorizer } from './authorization.ts';

const host = '127.0.0.1';
const path = '/callback';

/** How long a browser may take to read the last page. */
const lastPageMs = 500;

export interface LoopbackOptions {
  /** Tried first: a registration may name it. 0 takes any free one. */
  port: number;
  /** True when no other port will do. */
  isPortFixed: boolean;
  onAuthorizationUrl(url: string): void;
  /** Milliseconds to wait for the redirect. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The user did not come back in time. */
export class LoginTimeoutError extends Error {
  override readonly name = 'LoginTimeoutError';
}

/**
 * An authorizer that shows the user a URL and waits on 127.0.0.1 for the browser to come back (RFC 8252, 7.3). Only
 * a redirect with the `state` of the request is taken; whatever else knocks is turned away. Rejects with `LoginTimeoutError`
 * and with the reason of `signal`.
 */
export class LoopbackRedirect implements Authorizer {
  readonly redirectUrl: string;
  readonly #server: Server;
  readonly #options: LoopbackOptions;
  #awaited: { state: string; resolve(answer: URLSearchParams): void } | undefined;

  private constructor(server: Server, options: LoopbackOptions) {
    this.#server = server;
    this.#options = options;
    this.redirectUrl = `http://${host}:${(server.address() as AddressInfo).port}${path}`;
    server.on('request', (request, response) => this.#answer(request, response));
  }

  /** Listens. Rejects with the system's error when the port cannot be had. */
  static async open(options: LoopbackOptions): Promise<LoopbackRedirect> {
    const server = createServer();
    try {
      await listen(server, options.port);
    } catch (error) {
      if (options.isPortFixed || options.port === 0) throw error;
      await listen(server, 0);
    }
    return new LoopbackRedirect(server, options);
  }

  async authorize(authorizationUrl: URL): Promise<URLSearchParams> {
    const { onAuthorizationUrl, timeoutMs, signal } = this.#options;
    signal?.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    let onAbort = () => {};
    try {
      return await new Promise<URLSearchParams>((resolve, reject) => {
        this.#awaited = { state: authorizationUrl.searchParams.get('state') ?? '', resolve };
        timer = setTimeout(() => reject(new LoginTimeoutError(`nobody came back within ${timeoutMs} ms`)), timeoutMs);
        onAbort = () => reject(signal?.reason);
        signal?.addEventListener('abort', onAbort, { once: true });
        onAuthorizationUrl(authorizationUrl.href);
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#awaited = undefined;
    }
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    // The page may still be on its way to the browser.
    const timer = setTimeout(() => this.#server.closeAllConnections(), lastPageMs);
    await closed;
    clearTimeout(timer);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.redirectUrl);
    // A page that has a name of its own pointed at this machine says so in `Host`.
    const isForUs = request.headers.host === new URL(this.redirectUrl).host;
    if (request.method !== 'GET' || !isForUs || url.pathname !== path) {
      page(response, 404, 'Nothing is here.');
      return;
    }
    const awaited = this.#awaited;
    if (awaited === undefined || awaited.state === '' || url.searchParams.get('state') !== awaited.state) {
      page(response, 400, 'This is not the login that toolcrib waits for.');
      return;
    }
    const isGranted = url.searchParams.has('code');
    page(
      response,
      200,
      isGranted ? 'You can close this page: toolcrib has what it needs.' : 'The login was not granted.',
    );
    awaited.resolve(url.searchParams);
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Nothing of the request is repeated; the address with the code in it goes nowhere. */
function page(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`<!doctype html><title>toolcrib</title><p>${text}</p>`);
}
