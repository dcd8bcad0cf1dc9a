import { loadSdk, sdk } from '../sdk.ts';
import type { AuthContext } from './auth-context.ts';
import type { Challenge } from './credential-store.ts';
import { checkUrl } from './guarded-fetch.ts';
import { loginFault, takesNoLogin } from './login-faults.ts';

/** How long a server may take to say that it wants a login. */
const knockTimeoutMs = 30_000;

/**
 * What the server asks for, found out by a request without a token. Throws `login_unsupported` for one that lets anybody
 * in and has no metadata that speaks of a login, `login_refused` for one that is reached unencrypted, `login_failed` for one
 * that cannot be reached.
 */
export async function askForChallenge(context: AuthContext): Promise<Challenge> {
  await loadSdk();
  const { extractWWWAuthenticateParams, computeScopeUnion } = sdk();
  const { key, store, guard } = context;
  checkUrl(new URL(key.url), guard);
  const noted = store.read(key)?.challenge;
  const response = await knock(context);
  if (response.status !== 401 && noted === undefined) await throwIfOpen(context, response.status);
  const asked = response.status === 401 ? extractWWWAuthenticateParams(response) : {};
  const isNotedOf = noted?.isStepUp === true || asked.scope === undefined;
  const scope = computeScopeUnion(asked.scope, isNotedOf ? noted?.scope : undefined);
  const resourceMetadataUrl = asked.resourceMetadataUrl?.href ?? noted?.resourceMetadataUrl;
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(noted?.isStepUp === undefined ? {} : { isStepUp: noted.isStepUp }),
  };
}

/** A server that asks for a login only now and then says in its metadata where. */
async function throwIfOpen({ key, guardedFetch }: AuthContext, status: number): Promise<void> {
  try {
    await sdk().discoverOAuthProtectedResourceMetadata(key.url, {}, guardedFetch);
  } catch (error) {
    throw error instanceof TypeError ? loginFault(error, key.serverId) : takesNoLogin(key.serverId, status);
  }
}

/** Asks the server anything. One that speaks HTTP+SSE takes no POST at its address, and is asked by a GET. */
async function knock({ key, headers }: AuthContext): Promise<Response> {
  const request = async (init: RequestInit & { headers: Record<string, string> }) => {
    const response = await fetch(key.url, {
      ...init,
      headers: { ...headers, ...init.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(knockTimeoutMs),
    });
    await response.body?.cancel();
    return response;
  };
  try {
    const posted = await request({
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
    if (posted.status !== 404 && posted.status !== 405) return posted;
    return await request({ headers: { accept: 'text/event-stream' } });
  } catch (error) {
    throw loginFault(error, key.serverId);
  }
}
