import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { CallerScope } from '../model/index.ts';
import { callerIn } from './caller-gate.ts';

/** Who calls, and what they may know of; without a scope, everything. */
export interface Principal {
  principal: string;
  scope?: CallerScope;
}

interface Asking extends Pick<ServerContext, 'sessionId'> {
  http?: { authInfo?: AuthInfo | undefined };
}

/**
 * Who calls, as far as the connection tells: the caller of a token, else the session, else one for all. A pipe has one host;
 * requests without a session or a token cannot be told apart.
 */
export function principalOf({ sessionId, http }: Asking): Principal {
  const caller = callerIn(http?.authInfo);
  if (caller !== undefined) {
    return { principal: `client:${caller.name}`, ...(caller.scope === undefined ? {} : { scope: caller.scope }) };
  }
  if (sessionId !== undefined) return { principal: `session:${sessionId}` };
  return { principal: http === undefined ? 'stdio' : 'http' };
}
