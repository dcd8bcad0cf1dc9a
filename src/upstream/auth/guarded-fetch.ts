import { lookup as systemLookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { ToolcribError } from '../../errors/index.ts';
import { bareHost, isLoopbackAddress, isLoopbackHost, isSpecialAddress } from './address-rules.ts';

/** Metadata documents and token answers have a few kilobytes. */
const bodyMaxBytes = 1024 * 1024;
/** An authorization server that takes longer is as good as down; someone waits. */
const requestTimeoutMs = 30_000;

export interface GuardOptions {
  serverId: string;
  /** The configured URL of the MCP server: its own host may be reached wherever it is. */
  serverUrl: string;
  /** Hosts in private networks that the user allows besides. */
  allowedHosts?: readonly string[];
  /** How names are resolved. Default: as the system does. */
  lookup?: typeof systemLookup;
}

/**
 * `fetch` for the URLs that a login leads to, which a server chooses. Only https, and http to loopback; no private,
 * link-local or loopback address unless it is the server's own host, the server is on loopback itself, or the user
 * allowed the host. The address that was checked is the one that is connected to. Redirects are handed back unfollowed.
 *
 * Rejects with a `TypeError`, as `fetch` does: the SDK hands those on. Its cause is the `login_refused` of a URL that
 * is not allowed.
 */
export function guardedFetch(options: GuardOptions): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    try {
      checkUrl(url, options);
      return await send(url, init, checkingLookup(options));
    } catch (error) {
      throw new TypeError('fetch failed', { cause: error });
    }
  };
}

/** Throws `login_refused` for a URL that nobody should be sent to: other than https, http to loopback alone. */
export function checkUrl(url: URL, options: GuardOptions): void {
  const { protocol, hostname, username, password } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname))) {
    throw refused(options, `which is not https: ${url.origin === 'null' ? protocol : url.origin}`);
  }
  if (username !== '' || password !== '') throw refused(options, `which holds a password: ${url.origin}`);
  const bare = bareHost(hostname);
  if (isIP(bare) !== 0) checkAddress(bare, hostname, options);
}

function checkAddress(address: string, hostname: string, options: GuardOptions): void {
  if (!isSpecialAddress(address)) return;
  const host = bareHost(hostname);
  const own = bareHost(new URL(options.serverUrl).hostname);
  if (host === own || options.allowedHosts?.some((allowed) => bareHost(allowed) === host)) return;
  if (isLoopbackAddress(address) && isLoopbackHost(own)) return;
  throw refused(options, `in a private network: ${hostname}`);
}

/** Resolves a name and fails when any of its addresses is not allowed, so that the one used is always a checked one. */
function checkingLookup(options: GuardOptions): LookupFunction {
  const lookup = options.lookup ?? systemLookup;
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      try {
        for (const { address } of addresses) checkAddress(address, hostname, options);
      } catch (refusal) {
        return callback(refusal as Error, '', 0);
      }
      if (lookupOptions.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

function refused({ serverId }: GuardOptions, what: string): ToolcribError {
  return new ToolcribError('login_refused', `The login to server "${serverId}" leads to an address ${what}.`, {
    next: 'If that address is right, name its host under "oauth": {"allowedHosts": […]} of the server; it has to speak https.',
    details: { server: serverId },
  });
}

function send(url: URL, init: RequestInit, lookup: LookupFunction): Promise<Response> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const body = init.body === undefined || init.body === null ? undefined : String(init.body);
  const timeout = AbortSignal.timeout(requestTimeoutMs);
  const options: RequestOptions = {
    method: init.method ?? 'GET',
    headers: { ...Object.fromEntries(new Headers(init.headers)), connection: 'close' },
    // A kept connection would skip the lookup, and with it the check.
    agent: false,
    lookup,
    signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      toResponse(incoming).then(resolve, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function toResponse(incoming: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyMaxBytes) {
      incoming.destroy();
      throw new Error(`The answer has more than ${bodyMaxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] as string, incoming.rawHeaders[at + 1] as string);
  }
  const status = incoming.statusCode ?? 502;
  const hasBody = status !== 204 && status !== 205 && status !== 304 && status >= 200;
  return new Response(hasBody ? Buffer.concat(chunks) : null, {
    status,
    statusText: incoming.statusMessage ?? '',
    headers,
  });
}
