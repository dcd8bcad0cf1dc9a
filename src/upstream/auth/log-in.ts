import { isToolcribError, messageOf, ToolcribError } from '../../errors/index.ts';
import type { LoginOptions, LoginReport } from '../../model/index.ts';
import { peopleMessage } from '../faults.ts';
import type { AuthContext } from './auth-context.ts';
import { askForChallenge } from './challenge.ts';
import { type Challenge, inUse } from './credential-store.ts';
import { LoginTimeoutError, LoopbackRedirect } from './loopback-redirect.ts';
import type { ServerAuth } from './server-auth.ts';

/** Time enough to find a password, short enough that a forgotten terminal does not wait for ever. */
const consentTimeoutMs = 300_000;
/** Logins one after the other, each because the server asked for more scopes when it was listed. */
const loginsMax = 3;

/**
 * Logs a user in through the browser, then lists the server with the new token; a server that then asks for more scopes
 * gets its user asked for them. `list` lists its tools and returns how many can be called.
 */
export async function logIn(
  auth: ServerAuth,
  list: () => Promise<number>,
  { onAuthorizationUrl, timeoutMs = consentTimeoutMs, signal }: LoginOptions,
): Promise<LoginReport> {
  const { serverId } = auth.context.key;
  const redirect = await openRedirect(auth, { onAuthorizationUrl, timeoutMs, signal });
  try {
    let challenge: Challenge = await askForChallenge(auth.context);
    for (let logins = 1; ; logins += 1) {
      await auth.logIn(redirect, challenge);
      const listed = await listAfterwards(list);
      const asksForMore = auth.awaited;
      if (asksForMore?.isStepUp !== true || logins === loginsMax)
        return { server: serverId, ...auth.facts(), ...listed };
      challenge = asksForMore;
    }
  } catch (error) {
    throw signal?.aborted ? cancelledLogin(serverId) : inWords(error, serverId, timeoutMs);
  } finally {
    await redirect.close();
  }
}

async function openRedirect(
  auth: ServerAuth,
  options: { onAuthorizationUrl(url: string): void; timeoutMs: number; signal: AbortSignal | undefined },
): Promise<LoopbackRedirect> {
  const { port, isPortFixed } = redirectPort(auth.context);
  try {
    return await LoopbackRedirect.open({ ...options, port, isPortFixed });
  } catch (error) {
    throw new ToolcribError(
      'port_in_use',
      `Port ${port} of this machine, to which the browser would come back, cannot be had.`,
      {
        next: 'End the program that uses it, or change "callbackPort" in the server\'s "oauth" entry.',
        details: { server: auth.context.key.serverId, reason: `(${messageOf(error)})` },
        cause: error,
      },
    );
  }
}

/** A configured port, or the one that an earlier registration names. */
function redirectPort({ settings, store, key }: AuthContext): { port: number; isPortFixed: boolean } {
  if (settings.callbackPort !== undefined) return { port: settings.callbackPort, isPortFixed: true };
  const { redirectUrl } = inUse(store.read(key)) ?? {};
  return { port: redirectUrl === undefined ? 0 : Number(new URL(redirectUrl).port), isPortFixed: false };
}

/** The login stands whatever becomes of the list. One that was under way already may have been without it. */
async function listAfterwards(list: () => Promise<number>): Promise<{ tools: number } | { problem: string }> {
  try {
    const tools = await list().catch((error: unknown) => {
      if (isToolcribError(error, 'login_required')) return list();
      throw error;
    });
    return { tools };
  } catch (error) {
    return { problem: peopleMessage(error) };
  }
}

function cancelledLogin(serverId: string): ToolcribError {
  return new ToolcribError('cancelled', `The login to server "${serverId}" was cancelled.`, {
    details: { server: serverId },
  });
}

function inWords(error: unknown, serverId: string, timeoutMs: number): unknown {
  if (!isToolcribError(error, 'login_failed') || !(error.cause instanceof LoginTimeoutError)) return error;
  const seconds = Math.round(timeoutMs / 1_000);
  return new ToolcribError('login_failed', `The login to server "${serverId}" was not finished within ${seconds} s.`, {
    next: 'Start the login again and finish it in the browser.',
    details: { server: serverId },
  });
}
