import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { type AuthInfo, INVALID_REQUEST, isInitializeRequest, type Server } from '@modelcontextprotocol/server';
import { messageOf } from '../errors/index.ts';
import { type Caller, type CallerCheck, steadyNow } from '../model/index.ts';
import { callerIn } from './caller-gate.ts';
import type { Face } from './face.ts';
import type { HttpLimits } from './http-limits.ts';
import { answerError } from './http-reply.ts';
import { notifyListChanged } from './list-changed.ts';
import { createProtocolServer } from './protocol-server.ts';
import { RunningIds } from './running-ids.ts';

/** As the gate has let it in. */
type Request = IncomingMessage & { auth?: AuthInfo };

interface Session {
  id: string;
  /** Who opened it, by a token; nobody else may use it. */
  caller: Caller | undefined;
  server: Server;
  transport: NodeStreamableHTTPServerTransport;
  running: RunningIds;
  /** Requests and streams that are open right now: a session with any is in use. */
  openResponses: number;
  /** By the steady clock. */
  lastUsedAt: number;
}

/**
 * The sessions of hosts that speak a revision before 2026-07-28. Where all places are taken, the session that has been
 * idle longest gives up its own; its host, should it still live, gets 404 and starts a new one, as the specification asks.
 */
export class LegacySessions {
  readonly #face: Face;
  readonly #limits: HttpLimits;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  readonly #sweep: NodeJS.Timeout;

  constructor(face: Face, limits: HttpLimits, now: () => number = steadyNow) {
    this.#face = face;
    this.#limits = limits;
    this.#now = now;
    this.#sweep = setInterval(() => this.endIdle(), limits.sessionIdleMs / sweepsPerIdleTime).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Answers a POST with its parsed body, a GET (stream of notices) or a DELETE (end of session). */
  async handle(request: Request, response: ServerResponse, body?: unknown): Promise<void> {
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') return this.#handleKnown(id, request, response, body);
    if (isInitializeRequest(body)) return this.#open(request, response, body);
    answerError(response, 400, 'No session: send an initialize request first, then its Mcp-Session-Id header.');
  }

  notifyListChanged(): void {
    notifyListChanged(
      [...this.#sessions.values()].map(({ server }) => server),
      this.#face.logger,
    );
  }

  /** Ends sessions that nobody has used for `sessionIdleMs`. */
  endIdle(): void {
    const deadline = this.#now() - this.#limits.sessionIdleMs;
    for (const session of this.#idle()) if (session.lastUsedAt <= deadline) this.#end(session, 'idle');
  }

  /** Ends sessions whose caller may not go on. */
  endRevoked(callers: Pick<CallerCheck, 'isCurrent'>): void {
    for (const session of [...this.#sessions.values()]) {
      if (!callers.isCurrent(session.caller)) this.#end(session, 'token revoked or expired');
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session, 'shutdown')));
  }

  async #handleKnown(id: string, request: Request, response: ServerResponse, body: unknown): Promise<void> {
    const session = this.#sessions.get(id);
    // In the same words: whose session it is, and that it is one, is nobody else's business.
    if (session === undefined || session.caller?.name !== callerIn(request.auth)?.name) {
      return answerError(response, 404, 'Session not found: it ended or was idle too long. Send initialize again.');
    }
    this.#markUsed(session, response);
    const taken = session.running.take(body);
    if (taken !== undefined) {
      const message = `Request id ${JSON.stringify(taken)} is in use: a request of this session that has it is not answered yet.`;
      return answerError(response, 400, message, { code: INVALID_REQUEST, id: taken });
    }
    response.once('close', () => {
      if (response.statusCode >= refusedFrom) session.running.forget(body);
    });
    await session.transport.handleRequest(request, response, body);
  }

  async #open(request: Request, response: ServerResponse, body: unknown): Promise<void> {
    // Nobody is there to learn the id of the session.
    if (response.closed) return;
    const caller = callerIn(request.auth);
    if (!this.#makeRoom(caller)) {
      const message = `All ${this.#limits.maxSessions} sessions are in use; end one or try again later.`;
      return answerError(response, 503, message, { headers: { 'retry-after': String(retryAfterSeconds) } });
    }
    const session = await this.#create(caller);
    this.#markUsed(session, response);
    await session.transport.handleRequest(request, response, body);
    if (!session.transport.sessionId) await this.#end(session, 'refused');
  }

  async #create(caller: Caller | undefined): Promise<Session> {
    const id = randomUUID();
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const server = createProtocolServer(this.#face, 'legacy');
    const running = new RunningIds();
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      running.answered(message);
      return send(message, options);
    };
    const session: Session = { id, caller, server, transport, running, openResponses: 0, lastUsedAt: this.#now() };
    server.onclose = () => this.#sessions.delete(id);
    server.onerror = (error) => this.#face.logger.debug('HTTP session error', { error: messageOf(error) });
    this.#sessions.set(id, session);
    await server.connect(transport);
    return session;
  }

  #markUsed(session: Session, response: ServerResponse): void {
    session.lastUsedAt = this.#now();
    // Its host is gone already, and nothing would tell of it again.
    if (response.closed) return;
    session.openResponses += 1;
    response.once('close', () => {
      session.openResponses -= 1;
      session.lastUsedAt = this.#now();
    });
  }

  /** From the caller's own sessions before those of others, so that none takes theirs by opening many. */
  #makeRoom(caller: Caller | undefined): boolean {
    if (this.#sessions.size < this.#limits.maxSessions) return true;
    const idle = this.#idle().sort((a, b) => a.lastUsedAt - b.lastUsedAt);
    const longestIdle = idle.find((session) => session.caller?.name === caller?.name) ?? idle[0];
    if (longestIdle === undefined) return false;
    this.#end(longestIdle, 'room needed');
    return true;
  }

  #idle(): Session[] {
    return [...this.#sessions.values()].filter((session) => session.openResponses === 0);
  }

  async #end(session: Session, reason: string): Promise<void> {
    this.#sessions.delete(session.id);
    this.#face.logger.debug('HTTP session ended', { reason });
    await session.server.close().catch(() => {});
  }
}

/** Statuses by which the transport refuses a message unread. */
const refusedFrom = 400;

/** Sessions end at most a quarter of the idle time late. */
const sweepsPerIdleTime = 4;

/** About what a user needs to close a host. */
const retryAfterSeconds = 30;
