/**
 * The MCP server face of toolcrib: stdio and Streamable HTTP, protocol revision 2026-07-28 and the handshake
 * revisions before it. It turns protocol messages into calls of a `Router` and back; it decides nothing about tools.
 * Imports `model` and `errors`, and is the only home of the MCP server SDK; never `app`, `cli`, `host` or `console`.
 */
export { type HttpServing, serveHttp } from './http.ts';
export { type ClientTransport, type InProcessServing, serveInProcess } from './in-process.ts';
export { serveStdio } from './stdio.ts';
