import type { ServerResponse } from 'node:http';

/**
 * For every answer. The page is one script and one style sheet from this address; whatever a server's text might smuggle in
 * is neither run nor loaded, and no other page may frame or read it.
 */
const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
} as const;

/** Answers as a whole. Does nothing where the caller has left. */
export function reply(
  response: ServerResponse,
  status: number,
  contentType: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { ...securityHeaders, 'content-type': contentType, ...headers });
  response.end(body);
}

export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  reply(response, status, 'application/json; charset=utf-8', JSON.stringify(value));
}

/** A page without script for what has to be said before the real one can be shown. `text` is ours, not a server's. */
export function replyNote(response: ServerResponse, status: number, text: string): void {
  reply(response, status, 'text/plain; charset=utf-8', `${text}\n`);
}

/** The same, that leads on at once to `location`: by the page itself, so that a strict cookie goes along. */
export function replyRefresh(response: ServerResponse, location: string, headers: Record<string, string>): void {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${location}"><link rel="icon" href="${location}icon.svg" type="image/svg+xml"><title>toolcrib console</title><p><a href="${location}">Go on to the console</a></p></html>`;
  reply(response, 200, 'text/html; charset=utf-8', page, headers);
}

/** Begins a stream of events (HTML "Server-sent events"). */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { ...securityHeaders, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
}
