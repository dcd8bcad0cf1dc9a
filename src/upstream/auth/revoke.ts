import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import { sdk } from '../sdk.ts';
import type { IssuedCredentials } from './credential-store.ts';

/**
 * Asks the authorization server to forget the tokens (RFC 7009): the refresh token, with which the access tokens end, else
 * the access token. True when it agreed; false where it offers no such thing. Rejects as `fetch` does.
 */
export async function revokeTokens(
  { tokens, metadata }: IssuedCredentials,
  client: StoredOAuthClientInformation | undefined,
  fetchFn: typeof fetch,
): Promise<boolean> {
  const { revocation_endpoint: endpoint, revocation_endpoint_auth_methods_supported: methods } = metadata as {
    revocation_endpoint?: string;
    revocation_endpoint_auth_methods_supported?: string[];
  };
  if (endpoint === undefined || tokens === undefined || client === undefined) return false;
  const body = new URLSearchParams({
    token: tokens.refresh_token ?? tokens.access_token,
    token_type_hint: tokens.refresh_token === undefined ? 'access_token' : 'refresh_token',
  });
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' });
  const supported = methods ?? metadata.token_endpoint_auth_methods_supported ?? [];
  const method = sdk().selectClientAuthMethod(client, supported);
  if (method === 'client_secret_basic') {
    headers.set('authorization', `Basic ${btoa(`${client.client_id}:${client.client_secret ?? ''}`)}`);
  } else {
    body.set('client_id', client.client_id);
    if (method === 'client_secret_post' && client.client_secret !== undefined) {
      body.set('client_secret', client.client_secret);
    }
  }
  const response = await fetchFn(endpoint, { method: 'POST', headers, body });
  return response.ok;
}
