import { isToolcribError, messageOf, ToolcribError } from '../../errors/index.ts';
import type { HttpTransport, Logger, OAuthSettings } from '../../model/index.ts';
import { loadSdk, sdk } from '../sdk.ts';
import { type Authorizer, authorizeOnce, configuredClient, withTimes } from './authorization.ts';
import {
  type Challenge,
  type CredentialKey,
  type CredentialStore,
  type IssuedCredentials,
  inUse,
} from './credential-store.ts';
import { checkUrl, type GuardOptions, guardedFetch } from './guarded-fetch.ts';
import { loginFault, loginRequired } from './login-faults.ts';

/** A token is renewed this long before it ends, or a quarter of its life before where it lives shortly. */
const renewBeforeMs = 60_000;
/** How often one request is sent again: after a refresh, after a login, after a login with more scopes. */
const renewalsMax = 3;
/** Logins that ask for more scopes within one request (MCP "Step-Up Authorization Flow": a few times at most). */
const stepUpsMax = 2;

export interface ServerAuthOptions {
  serverId: string;
  transport: HttpTransport;
  store: CredentialStore;
  logger: Logger;
  /** Gets the user's consent when the server asks for a login. Without it nobody is asked and nothing is opened. */
  authorizer?: Authorizer;
  /** How names in OAuth URLs are resolved. Default: as the system does. */
  lookup?: GuardOptions['lookup'];
}

/** True for a server that we may log in to: one over HTTP, for which the user has not configured a credential. */
export function mayLogIn(transport: HttpTransport): boolean {
  const hasCredential = Object.keys(transport.headers).some((name) => name.toLowerCase() === 'authorization');
  return transport.oauth !== false && !hasCredential;
}

/**
 * The login to one MCP server: puts the access token on requests, renews it before it ends and when it is refused, and
 * says so when only the user can help. Tokens come from the store alone, so what a host sends us never goes on.
 */
export class ServerAuth {
  readonly key: CredentialKey;
  /** Gets the user's consent while it is set. */
  authorizer: Authorizer | undefined;
  readonly #settings: OAuthSettings;
  readonly #store: CredentialStore;
  readonly #logger: Logger;
  readonly #guard: GuardOptions;
  readonly #oauthFetch: typeof fetch;
  #problem: ToolcribError | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ serverId, transport, store, logger, authorizer, lookup }: ServerAuthOptions) {
    this.key = { serverId, url: transport.url };
    this.authorizer = authorizer;
    this.#settings = transport.oauth || {};
    this.#store = store;
    this.#logger = logger;
    this.#guard = {
      serverId,
      serverUrl: transport.url,
      ...(this.#settings.allowedHosts === undefined ? {} : { allowedHosts: this.#settings.allowedHosts }),
      ...(lookup === undefined ? {} : { lookup }),
    };
    this.#oauthFetch = guardedFetch(this.#guard);
  }

  /** Why the server refused the last request, where that is known. */
  get problem(): ToolcribError | undefined {
    return this.#problem;
  }

  /** What stands in the way of the next request, as far as the store knows. */
  get awaited(): Challenge | undefined {
    try {
      return this.#store.read(this.key)?.challenge;
    } catch {
      return undefined;
    }
  }

  /** `fetch` for requests to the MCP server: with its token, and once more when a token could be had that is better. */
  wrap(inner: typeof fetch): typeof fetch {
    return async (url, init) => {
      let stepUps = 0;
      for (let renewals = 0; ; renewals += 1) {
        const token = await this.#validToken();
        const response = await inner(url, withToken(init, token));
        const isStepUp = response.status === 403 && insufficientScope(response);
        if (response.status !== 401 && !isStepUp) {
          if (response.ok) this.#problem = undefined;
          return response;
        }
        if (isStepUp) stepUps += 1;
        if (renewals >= renewalsMax || stepUps > stepUpsMax || !(await this.#renew(response, token, isStepUp))) {
          return response;
        }
        await response.body?.cancel();
      }
    };
  }

  /** Logs in anew, whatever is stored. Throws `login_refused`, `login_failed`, `credentials_unusable`. */
  async logIn(authorizer: Authorizer, challenge: Challenge = {}): Promise<void> {
    await loadSdk();
    const known = this.#store.read(this.key);
    try {
      const { issuer, issued } = await authorizeOnce({
        serverId: this.key.serverId,
        serverUrl: this.key.url,
        settings: this.#settings,
        scope: this.#scopeFor(challenge),
        resourceMetadataUrl: challenge.resourceMetadataUrl,
        known,
        authorizer,
        fetch: this.#oauthFetch,
        checkUrl: (url) => checkUrl(url, this.#guard),
      });
      await this.#store.update(this.key, (now) => ({ issuer, issued: { ...now?.issued, [issuer]: issued } }));
      this.#problem = undefined;
    } catch (error) {
      throw loginFault(error, this.key.serverId);
    }
  }

  async #validToken(): Promise<string | undefined> {
    const issued = this.#issued();
    const token = issued?.tokens?.access_token;
    if (issued === undefined || token === undefined || !isEnding(issued)) return token;
    await this.#refresh(token);
    return this.#issued()?.tokens?.access_token;
  }

  /** True when the request is worth sending again. */
  #renew(response: Response, refused: string | undefined, isStepUp: boolean): Promise<boolean> {
    const { resourceMetadataUrl, scope } = sdk().extractWWWAuthenticateParams(response);
    return this.#inTurn(async () => {
      this.#problem = undefined;
      const now = this.#issued();
      if (now?.tokens !== undefined && now.tokens.access_token !== refused) return true;
      if (!isStepUp && refused !== undefined && (await this.#refresh(refused))) return true;
      if (this.#findsProblem()) return false;
      const held = this.#issued() ?? now;
      const wanted = isStepUp ? sdk().computeScopeUnion(held?.scope, held?.tokens?.scope, scope) : scope;
      const challenge: Challenge = {
        ...(wanted === undefined ? {} : { scope: wanted }),
        ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: resourceMetadataUrl.href }),
        ...(isStepUp ? { isStepUp } : {}),
      };
      if (this.authorizer === undefined) return this.#giveUp(challenge);
      try {
        await this.logIn(this.authorizer, challenge);
        return true;
      } catch (error) {
        this.#problem = isToolcribError(error) ? error : loginFault(error, this.key.serverId);
        return false;
      }
    });
  }

  /** A refresh that failed for want of a connection, or a file that cannot be read: no login would help. */
  #findsProblem(): boolean {
    return this.#problem !== undefined;
  }

  /** What the user configured takes the place of what the server names, and no more is lost than that when it asks for more. */
  #scopeFor({ scope, isStepUp = false }: Challenge): string | undefined {
    const configured = this.#settings.scopes?.join(' ');
    return isStepUp ? sdk().computeScopeUnion(configured, scope) : (configured ?? scope);
  }

  async #giveUp(challenge: Challenge): Promise<false> {
    this.#problem = loginRequired(this.key.serverId, challenge.isStepUp === true);
    try {
      const noted = this.#store.read(this.key)?.challenge;
      if (JSON.stringify(noted) !== JSON.stringify(challenge)) {
        await this.#store.update(this.key, (now) => ({ issued: {}, ...now, challenge }));
      }
    } catch (error) {
      this.#logger.warn('That a login is needed could not be noted.', { error: messageOf(error) });
    }
    return false;
  }

  /**
   * Gets a new access token in place of `old`; true when there is one. One process at a time refreshes: a refresh token
   * that is used twice is revoked by servers that rotate them, and with it the login.
   */
  async #refresh(old: string): Promise<boolean> {
    try {
      return await this.#store.exclusively(this.key, async () => {
        const issued = this.#issued();
        if (issued?.tokens !== undefined && issued.tokens.access_token !== old) return true;
        const refreshToken = issued?.tokens?.refresh_token;
        if (issued === undefined || refreshToken === undefined) return false;
        return await this.#refreshNow(issued, refreshToken);
      });
    } catch (error) {
      this.#problem = isToolcribError(error) ? error : this.#unreachable(error);
      this.#logger.warn('The login could not be renewed.', { error: messageOf(this.#problem) });
      return false;
    }
  }

  async #refreshNow(issued: IssuedCredentials, refreshToken: string): Promise<boolean> {
    const { refreshAuthorization, OAuthError } = sdk();
    const { metadata, resource } = issued;
    const { issuer } = metadata;
    const clientInformation = configuredClient(this.#settings, issuer) ?? issued.client;
    if (clientInformation === undefined) return false;
    try {
      const tokens = await refreshAuthorization(issuer, {
        metadata,
        clientInformation,
        refreshToken,
        ...(resource === undefined ? {} : { resource }),
        fetchFn: this.#oauthFetch,
      });
      await this.#change(issuer, (now) => ({ ...now, ...withTimes({ ...tokens, issuer }) }));
      this.#problem = undefined;
      return true;
    } catch (error) {
      if (!(error instanceof OAuthError) || !endsTheLogin.has(error.code)) throw error;
      this.#logger.info('The login has ended.', { issuer, error: error.code });
      await this.#change(
        issuer,
        ({ tokens: _tokens, obtainedAt: _obtainedAt, expiresAt: _expiresAt, ...rest }) => rest,
      );
      return false;
    }
  }

  async #change(issuer: string, change: (now: IssuedCredentials) => IssuedCredentials): Promise<void> {
    await this.#store.update(this.key, (now) => {
      const issued = now?.issued[issuer];
      // A logout in the meantime stands.
      if (now === undefined || issued === undefined) return now;
      return { ...now, issued: { ...now.issued, [issuer]: change(issued) } };
    });
  }

  #issued(): IssuedCredentials | undefined {
    try {
      return inUse(this.#store.read(this.key));
    } catch (error) {
      if (isToolcribError(error)) this.#problem = error;
      return undefined;
    }
  }

  #unreachable(error: unknown): ToolcribError {
    const { serverId } = this.key;
    const known = loginFault(error, serverId);
    if (known.code !== 'login_failed') return known;
    const message = `The login to server "${serverId}" could not be renewed. Nothing was run.`;
    return new ToolcribError('upstream_unavailable', message, {
      details: { server: serverId, mayHaveRun: false, reason: `(${known.message})` },
      cause: error,
    });
  }

  /** Two requests that are refused at once lead to one login. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

/** OAuth errors of a refresh after which the user has to log in again (RFC 6749, 5.2). */
const endsTheLogin: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

function isEnding({ tokens, obtainedAt, expiresAt }: IssuedCredentials): boolean {
  if (tokens?.refresh_token === undefined || expiresAt === undefined) return false;
  const lifeMs = expiresAt - (obtainedAt ?? expiresAt);
  return Date.now() > expiresAt - Math.min(renewBeforeMs, lifeMs / 4);
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

function insufficientScope(response: Response): boolean {
  return sdk().extractWWWAuthenticateParams(response).error === 'insufficient_scope';
}
