import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { messageOf } from '../errors/index.ts';
import type { Caller, CallerCheck, CallerVerdict, Logger } from '../model/index.ts';
import { answerError } from './http-reply.ts';

/** How often open answers are looked over: a revocation ends them within a second. */
const watchIntervalMs = 250;

export interface CallerGateOptions {
  check: CallerCheck;
  /** Told from time to time, to end what is open for callers who are no longer current. */
  onWatch: () => void;
  logger: Logger;
}

/** A request that was admitted, as the SDK passes it on. */
type AdmittedRequest = IncomingMessage & { auth?: AuthInfo };

/**
 * Lets requests in by their bearer token (RFC 6750), and ends what is still open for one that was let in when its token is
 * revoked or expires.
 */
export class CallerGate {
  readonly #check: CallerCheck;
  readonly #logger: Logger;
  readonly #open = new Map<ServerResponse, Caller | undefined>();
  readonly #watch: NodeJS.Timeout;

  constructor({ check, onWatch, logger }: CallerGateOptions) {
    this.#check = check;
    this.#logger = logger;
    this.#watch = setInterval(() => this.#guarded(onWatch), watchIntervalMs).unref();
  }

  /** True for a request that may go on; its caller then goes with it. Any other has been answered with 401 or 429. */
  async admit(request: AdmittedRequest, response: ServerResponse): Promise<boolean> {
    const verdict = await this.#check.check(request.headers.authorization, request.socket.remoteAddress ?? '');
    if (verdict.kind === 'refused' || verdict.kind === 'slowed') {
      refuse(response, verdict);
      return false;
    }
    // Nobody waits for an answer any more, and nothing would tell of it again.
    if (response.closed) return false;
    const caller = verdict.kind === 'known' ? verdict.caller : undefined;
    // Nothing further in needs the secret, so it is not handed on.
    delete request.headers.authorization;
    if (caller !== undefined) request.auth = { token: '', clientId: caller.name, scopes: [], extra: { caller } };
    this.#open.set(response, caller);
    response.once('close', () => this.#open.delete(response));
    return true;
  }

  close(): void {
    clearInterval(this.#watch);
  }

  #guarded(onWatch: () => void): void {
    try {
      for (const [response, caller] of this.#open) if (!this.#check.isCurrent(caller)) response.destroy();
      onWatch();
    } catch (error) {
      this.#logger.warn('open requests could not be checked for revoked tokens', { error: messageOf(error) });
    }
  }
}

/** The caller of a request that was admitted by a token. */
export function callerIn(auth: Pick<AuthInfo, 'extra'> | undefined): Caller | undefined {
  return auth?.extra?.caller as Caller | undefined;
}

function refuse(response: ServerResponse, verdict: Extract<CallerVerdict, { kind: 'refused' | 'slowed' }>): void {
  // The body is not read, and may be long.
  const headers = { connection: 'close' };
  if (verdict.kind === 'slowed') {
    const retryAfter = String(Math.ceil(verdict.retryAfterMs / 1_000));
    const message = `Too many requests without a valid token. Try again in ${retryAfter} seconds.`;
    answerError(response, 429, message, { headers: { ...headers, 'retry-after': retryAfter } });
    return;
  }
  const [message, challenge] = verdict.hasToken
    ? [invalidToken, `${scheme}, error="invalid_token", error_description="The token is not valid"`]
    : [missingToken, scheme];
  answerError(response, 401, message, { headers: { ...headers, 'www-authenticate': challenge } });
}

const scheme = 'Bearer realm="toolcrib"';
const missingToken = 'A token is needed: send it as "Authorization: Bearer <token>".';
/** One text for a wrong, an expired and a revoked one: whoever guesses learns nothing. */
const invalidToken = 'The token is not valid, or not any more. Ask whoever runs this server for another one.';
