import type { ServerContext } from '@modelcontextprotocol/server';

/**
 * Who calls, as far as the connection tells: the client of a validated token, else the session, else one for all. A
 * pipe has one host; requests without a session or a token cannot be told apart.
 */
export function principalOf({ sessionId, http }: ServerContext): string {
  if (http?.authInfo !== undefined) return `client:${http.authInfo.clientId}`;
  if (sessionId !== undefined) return `session:${sessionId}`;
  return http === undefined ? 'stdio' : 'http';
}
