import { isToolcribError } from '../../errors/index.ts';
import type { HttpTransport, Logger, OAuthSettings } from '../../model/index.ts';
import type { CredentialKey, CredentialStore } from './credential-store.ts';
import { type GuardOptions, guardedFetch } from './guarded-fetch.ts';

export interface AuthOptions {
  serverId: string;
  transport: HttpTransport;
  store: CredentialStore;
  logger: Logger;
  /** How names in OAuth URLs are resolved. Default: as the system does. */
  lookup?: GuardOptions['lookup'];
}

/** What everything about the login to one server needs. */
export interface AuthContext {
  key: CredentialKey;
  settings: OAuthSettings;
  /** Headers that the user configured for the server; they go nowhere else. */
  headers: Record<string, string>;
  store: CredentialStore;
  logger: Logger;
  guard: GuardOptions;
  /** For every URL that the server or its authorization server names. */
  guardedFetch: typeof fetch;
}

export function authContext({ serverId, transport, store, logger, lookup }: AuthOptions): AuthContext {
  const settings = transport.oauth || {};
  const guard: GuardOptions = {
    serverId,
    serverUrl: transport.url,
    ...(settings.allowedHosts === undefined ? {} : { allowedHosts: settings.allowedHosts }),
    ...(lookup === undefined ? {} : { lookup }),
  };
  return {
    key: { serverId, url: transport.url },
    settings,
    headers: transport.headers,
    store,
    logger,
    guard,
    guardedFetch: guardedFetch(guard),
  };
}

/** True for a server that we may log in to: one over HTTP, for which the user has not configured a credential. */
export function mayLogIn(transport: HttpTransport): boolean {
  const hasCredential = Object.keys(transport.headers).some((name) => name.toLowerCase() === 'authorization');
  return transport.oauth !== false && !hasCredential;
}

/** What reading gives, undefined when the file cannot be used: others report that. */
export function unlessUnusable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isToolcribError(error, 'credentials_unusable')) return undefined;
    throw error;
  }
}
