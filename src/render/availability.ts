import { type ServerRecord, type ServerState, steadyNow } from '../model/index.ts';
import { capText, cleanText } from './clean-text.ts';

const reasonMaxChars = 200;

/** The date of a server's list (ISO 8601, UTC) when a later one failed; nothing for a list in order. */
export function asOf(server: Pick<ServerRecord, 'stale' | 'listedAt'> | undefined): { asOf?: string } {
  if (server?.listedAt === undefined || !server.stale) return {};
  return { asOf: new Date(server.listedAt).toISOString() };
}

/** While a server is left alone after failures: why, and when it is tried again. */
export function outageText(state: ServerState | undefined, now = steadyNow()): string | undefined {
  if (state?.retryAt === undefined || state.retryAt <= now) return undefined;
  const reason = capText(cleanText(state.reason ?? 'no reason given'), reasonMaxChars);
  return `${reason} It is tried again in ${Math.ceil((state.retryAt - now) / 1_000)} s.`;
}
