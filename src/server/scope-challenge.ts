import type { ServerResponse } from 'node:http';
import { isJsonObject, type Router } from '../model/index.ts';
import { answerError } from './http-reply.ts';
import type { Principal } from './principal.ts';

/**
 * The scope that a caller lacks for a call in a message or a batch of messages; undefined where it lacks none, or what it
 * calls is not there at all.
 */
export function missingScope(
  body: unknown,
  router: Pick<Router, 'missingScope'>,
  principal: Principal,
): string | undefined {
  for (const message of Array.isArray(body) ? body : [body]) {
    const params = isJsonObject(message) && message.method === 'tools/call' ? message.params : undefined;
    if (!isJsonObject(params) || typeof params.name !== 'string') continue;
    const missing = router.missingScope(params.name, params.arguments ?? {}, principal);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

/** Answers with 403 and the scope to ask for (RFC 6750; MCP "Authorization", scope challenge). */
export function answerInsufficientScope(response: ServerResponse, scope: string): void {
  const challenge = `Bearer realm="toolcrib", error="insufficient_scope", scope="${scope.replace(notInScope, '?')}"`;
  const message = 'not_authorized: the token lacks a scope for this tool; the WWW-Authenticate header names it.';
  answerError(response, 403, message, { headers: { 'www-authenticate': challenge } });
}

/** RFC 6750 leaves few characters; `?` is a glob that matches the one it stands for. */
const notInScope = /[^!#-[\]-~]/g;
