import { isToolcribError, messageOf, ToolcribError } from '../../errors/index.ts';
import { sdk } from '../sdk.ts';
import type { AuthContext } from './auth-context.ts';
import { configuredClient, withTimes } from './authorization.ts';
import { type IssuedCredentials, inUse, type ServerCredentials } from './credential-store.ts';
import { loginFault } from './login-faults.ts';

/** A token is renewed this long before it ends, or a quarter of its life before where it lives shortly. */
const renewBeforeMs = 60_000;
/* OAuth errors of a refresh after which the user has to log in again (RFC 6749, 5.2): the login is over, or the client. */
const endsTheLogin = 'invalid_grant';
const endsTheClient: readonly string[] = ['invalid_client', 'unauthorized_client'];

/** True for a token that ends soon and can be renewed. */
export function isEnding({ tokens, obtainedAt, expiresAt }: IssuedCredentials): boolean {
  if (tokens?.refresh_token === undefined || expiresAt === undefined) return false;
  const lifeMs = expiresAt - (obtainedAt ?? expiresAt);
  return Date.now() > expiresAt - Math.min(renewBeforeMs, lifeMs / 4);
}

/**
 * Gets a new access token in place of `old`; true when there is one, false when only a login can help. One process at a
 * time refreshes: a refresh token that is used twice is revoked by servers that rotate them, and with it the login. What
 * another process got in the meantime is taken. Throws `upstream_unavailable` when the authorization server could not be
 * asked, `login_refused`, `credentials_unusable`.
 */
export async function refreshTokens(context: AuthContext, old: string): Promise<boolean> {
  const { store, key } = context;
  try {
    return await store.exclusively(key, async () => {
      const issued = inUse(store.read(key));
      if (issued?.tokens !== undefined && issued.tokens.access_token !== old) return true;
      const refreshToken = issued?.tokens?.refresh_token;
      if (issued === undefined || refreshToken === undefined) return false;
      return await refreshNow(context, issued, refreshToken);
    });
  } catch (error) {
    const fault = isToolcribError(error) ? error : unreachable(error, key.serverId);
    context.logger.warn('The login could not be renewed.', { error: messageOf(fault) });
    throw fault;
  }
}

async function refreshNow(context: AuthContext, issued: IssuedCredentials, refreshToken: string): Promise<boolean> {
  const { refreshAuthorization, OAuthError } = sdk();
  const { metadata, resource } = issued;
  const { issuer } = metadata;
  const clientInformation = configuredClient(context.settings, issuer) ?? issued.client;
  if (clientInformation === undefined) return false;
  try {
    const tokens = await refreshAuthorization(issuer, {
      metadata,
      clientInformation,
      refreshToken,
      ...(resource === undefined ? {} : { resource }),
      fetchFn: context.guardedFetch,
    });
    await replaceTokens(context, issuer, refreshToken, (now) => ({ ...now, ...withTimes({ ...tokens, issuer }) }));
    return true;
  } catch (error) {
    const code = error instanceof OAuthError ? error.code : '';
    const isClientGone = endsTheClient.includes(code);
    if (!isClientGone && code !== endsTheLogin) throw error;
    context.logger.info('The login has ended.', { issuer, error: code });
    // A client that is not known any more is registered anew by the next login.
    const rest = (now: IssuedCredentials) => (isClientGone ? withoutClient(withoutTokens(now)) : withoutTokens(now));
    await replaceTokens(context, issuer, refreshToken, rest);
    return false;
  }
}

/** A logout or a new login in the meantime stands. */
async function replaceTokens(
  { store, key }: AuthContext,
  issuer: string,
  usedRefreshToken: string,
  change: (now: IssuedCredentials) => IssuedCredentials,
): Promise<void> {
  await store.update(key, (now: ServerCredentials | undefined) => {
    const issued = now?.issued[issuer];
    if (now === undefined || issued?.tokens?.refresh_token !== usedRefreshToken) return now;
    return { ...now, issued: { ...now.issued, [issuer]: change(issued) } };
  });
}

function withoutTokens({ tokens: _tokens, obtainedAt: _at, expiresAt: _until, ...rest }: IssuedCredentials) {
  return rest;
}

function withoutClient({ client: _client, redirectUrl: _url, ...rest }: IssuedCredentials): IssuedCredentials {
  return rest;
}

function unreachable(error: unknown, serverId: string): ToolcribError {
  const known = loginFault(error, serverId);
  if (known.code !== 'login_failed') return known;
  const message = `The login to server "${serverId}" could not be renewed. Nothing was run.`;
  return new ToolcribError('upstream_unavailable', message, {
    details: { server: serverId, mayHaveRun: false, reason: `(${known.message})` },
    cause: error,
  });
}
