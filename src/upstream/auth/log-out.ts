import { loadSdk } from '../sdk.ts';
import type { AuthContext } from './auth-context.ts';
import { configuredClient } from './authorization.ts';
import type { IssuedCredentials } from './credential-store.ts';
import { loginFault } from './login-faults.ts';
import { revokeTokens } from './revoke.ts';

/**
 * Deletes all that is kept for a server, registrations included; tokens are revoked where the authorization server offers
 * that. Throws `credentials_unusable`.
 */
export async function logOut(context: AuthContext): Promise<{ wasLoggedIn: boolean; isRevoked: boolean }> {
  const { store, key } = context;
  await loadSdk();
  return store.exclusively(key, async () => {
    const all = Object.entries(store.read(key)?.issued ?? {}).filter(([, { tokens }]) => tokens !== undefined);
    // First the file, so that nothing that an authorization server does can keep the tokens in it.
    await store.update(key, () => undefined);
    const revoked = await Promise.all(all.map(([issuer, issued]) => revoke(context, issuer, issued)));
    return { wasLoggedIn: all.length > 0, isRevoked: revoked.length > 0 && revoked.every(Boolean) };
  });
}

async function revoke({ settings, guardedFetch, logger, key }: AuthContext, issuer: string, issued: IssuedCredentials) {
  try {
    return await revokeTokens(issued, configuredClient(settings, issuer) ?? issued.client, guardedFetch);
  } catch (error) {
    logger.warn('The tokens could not be revoked.', { issuer, error: loginFault(error, key.serverId).message });
    return false;
  }
}
