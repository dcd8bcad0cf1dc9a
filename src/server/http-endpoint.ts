import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type NodeIncomingMessageLike,
  type NodeMcpRequestHandler,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  INVALID_REQUEST,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  PARSE_ERROR,
} from '@modelcontextprotocol/server';
import { messageOf } from '../errors/index.ts';
import { type CallerCheck, isJsonObject } from '../model/index.ts';
import { bodyMaxLevels, readJsonBody } from '../validation/index.ts';
import type { Face } from './face.ts';
import type { HttpLimits } from './http-limits.ts';
import { answerError } from './http-reply.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { paramHeaderProblem } from './param-headers.ts';
import { principalOf } from './principal.ts';
import { createProtocolServer } from './protocol-server.ts';
import { answerInsufficientScope, missingScope } from './scope-challenge.ts';

/** The one path that hosts use. */
export const endpointPath = '/mcp';

/** MCP 2026-07-28 "Streamable HTTP": the headers of a request do not say what its body says. */
const headerMismatch = -32_020;

/**
 * The MCP endpoint, all revisions at one address: a request that carries the metadata of 2026-07-28 is answered by
 * itself, any other belongs to a session that `initialize` opens.
 */
export class HttpEndpoint {
  readonly #router: Face['router'];
  readonly #limits: HttpLimits;
  readonly #tellsScope: boolean;
  readonly #modern: McpHttpHandler;
  readonly #handleModern: NodeMcpRequestHandler;
  readonly #sessions: LegacySessions;

  /** `tellsScope`: whoever calls a tool out of their scope is told which scope they lack. */
  constructor(face: Face, limits: HttpLimits, tellsScope = false) {
    this.#tellsScope = tellsScope;
    this.#router = face.router;
    this.#limits = limits;
    const onerror = (error: Error) => face.logger.debug('HTTP protocol error', { error: messageOf(error) });
    this.#modern = createMcpHandler(({ era }) => createProtocolServer(face, era), {
      legacy: 'reject',
      maxSubscriptions: limits.maxSubscriptions,
      onerror,
    });
    this.#handleModern = toNodeHandler(this.#modern, { onerror });
    this.#sessions = new LegacySessions(face, limits);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (pathOf(request) !== endpointPath) {
      return answerError(response, 404, `Nothing here: the MCP endpoint is ${endpointPath}.`);
    }
    // Proxies that buffer would hold back progress and change notices (MCP "Streamable HTTP").
    response.setHeader('X-Accel-Buffering', 'no');
    if (request.method === 'POST') return this.#post(request, response);
    if (request.method === 'GET' || request.method === 'DELETE') return this.#sessions.handle(request, response);
    answerError(response, 405, 'Method not allowed.', { headers: { allow: 'GET, POST, DELETE' } });
  }

  notifyListChanged(): void {
    this.#modern.notify.toolsChanged();
    this.#sessions.notifyListChanged();
  }

  /** Ends the sessions of callers whose token holds no longer. */
  endRevoked(callers: Pick<CallerCheck, 'isCurrent'>): void {
    this.#sessions.endRevoked(callers);
  }

  /** Cancels running calls and ends all sessions and streams. */
  async close(): Promise<void> {
    await Promise.all([this.#modern.close(), this.#sessions.close()]);
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isJsonContentType(request.headers['content-type'])) {
      return answerError(response, 415, 'Unsupported media type: Content-Type must be application/json.');
    }
    const body = await readJsonBody(request, this.#limits.maxBodyBytes);
    if (body.kind === 'too_large') {
      const message = `Request body is larger than ${this.#limits.maxBodyBytes} bytes.`;
      return answerError(response, 413, message, { headers: { connection: 'close' } });
    }
    if (body.kind === 'not_json') {
      return answerError(response, 400, 'Parse error: the request body is not JSON.', { code: PARSE_ERROR });
    }
    if (body.kind === 'too_deep') {
      const message = `Invalid request: the body is nested more than ${bodyMaxLevels} levels deep.`;
      return answerError(response, 400, message, { code: INVALID_REQUEST, id: idOf(body.value) });
    }
    const sdkRequest = request as NodeIncomingMessageLike & { auth?: AuthInfo };
    const principal = principalOf({ http: { authInfo: sdkRequest.auth } });
    if (this.#tellsScope) {
      const missing = missingScope(body.value, this.#router, principal);
      if (missing !== undefined) return answerInsufficientScope(response, missing);
    }
    const isLegacy = await isLegacyRequest(await toWebRequest(sdkRequest, body.value), body.value);
    if (isLegacy) return this.#sessions.handle(request, response, body.value);
    const problem = paramHeaderProblem(body.value, request.headers, this.#router.listTools(principal.scope));
    if (problem !== undefined) {
      return answerError(response, 400, `Header mismatch: ${problem}.`, { code: headerMismatch, id: idOf(body.value) });
    }
    await this.#handleModern(sdkRequest, response, body.value);
  }
}

/** As far as an answer can hold it. */
function idOf(message: unknown): string | number | null {
  const id = isJsonObject(message) ? message.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}
