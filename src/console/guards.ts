import type { IncomingMessage } from 'node:http';

/** The header that a page of another origin cannot send without being asked about it first (CORS), which we refuse. */
const consoleHeader = 'x-toolcrib-console';

/**
 * Why a request is not answered: undefined for one that was sent from this machine, to this address by one of its own names,
 * and by nothing but our own page or the address bar.
 *
 * The name in `Host` keeps out pages that lead their own name to this address (DNS rebinding). Cookies do not tell ports
 * apart and other ports count as the same site, so that the origin is looked at as well, always where something is changed.
 */
export function refusalOf(request: IncomingMessage): string | undefined {
  const { headers, socket, method } = request;
  if (!isLoopback(socket.remoteAddress)) return 'The console is for this machine alone.';
  if (headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined) {
    return 'The console is not served through a proxy.';
  }
  const host = headers.host ?? '';
  if (!ownHosts(Number(socket.localPort)).includes(host.toLowerCase()))
    return 'The Host header is not that of the console.';
  const own = `http://${host}`;
  if (headers.origin !== undefined && headers.origin !== own) return 'The request comes from another page.';
  const site = headers['sec-fetch-site'];
  const isNavigation = headers['sec-fetch-mode'] === 'navigate';
  if (site !== undefined && site !== 'same-origin' && !isNavigation) return 'The request comes from another page.';
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (headers.origin !== own) return 'Without an Origin header nothing is changed.';
  if (headers[consoleHeader] !== '1') return `Without the header ${consoleHeader} nothing is changed.`;
  return undefined;
}

function ownHosts(port: number): string[] {
  return ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`));
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);
}
