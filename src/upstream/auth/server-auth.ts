import { randomUUID } from 'node:crypto';
import { isToolcribError, messageOf, type ToolcribError } from '../../errors/index.ts';
import type { LoginReport } from '../../model/index.ts';
import { loadSdk, sdk } from '../sdk.ts';
import { type AuthContext, type AuthOptions, authContext, unlessUnusable } from './auth-context.ts';
import { type Authorizer, authorizeOnce } from './authorization.ts';
import { type Challenge, type IssuedCredentials, inUse, type ServerCredentials } from './credential-store.ts';
import { checkUrl } from './guarded-fetch.ts';
import { loginFault, loginRequired } from './login-faults.ts';
import { isEnding, refreshTokens } from './refresh.ts';

/** How often one request may lead to a login, whether it is refused altogether or for want of scopes. */
const loginsMax = 2;

/** Tokens that are hidden in messages: the one in use, and those of requests that were under way when it was renewed. */
const tokensHidden = 4;

export interface ServerAuthOptions extends AuthOptions {
  /** Gets the user's consent when the server asks for a login. Without it nobody is asked and nothing is opened. */
  authorizer?: Authorizer;
}

/** What was tried already so that one request gets through. */
interface Attempts {
  hasRefreshed: boolean;
  logins: number;
}

/**
 * The login to one MCP server: puts the access token on requests, renews it before it ends and when it is refused, and
 * says so when only the user can help. Tokens come from the store alone, so what a host sends us never goes on.
 */
export class ServerAuth {
  readonly context: AuthContext;
  readonly #authorizer: Authorizer | undefined;
  /** The last tokens that were sent. */
  #sent: string[] = [];
  #problem: ToolcribError | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ authorizer, ...options }: ServerAuthOptions) {
    this.context = authContext(options);
    this.#authorizer = authorizer;
  }

  /** Why the server refused the last request, where that is known. */
  get problem(): ToolcribError | undefined {
    return this.#problem;
  }

  /** Which login is in use; undefined without one. */
  get loginId(): string | undefined {
    return unlessUnusable(() => this.#issued())?.loginId;
  }

  /** What stands in the way of the next request, as far as the store knows. */
  get awaited(): Challenge | undefined {
    return unlessUnusable(() => this.#read()?.challenge);
  }

  /** Takes tokens out of what a server says about them. */
  hideTokens(text: string): string {
    return this.#sent.reduce((rest, token) => rest.replaceAll(token, '***'), text);
  }

  /** What is known of the login, without what is secret. */
  facts(): Pick<LoginReport, 'issuer' | 'scope' | 'expiresAt' | 'isRenewable'> {
    const credentials = this.#read();
    const issued = inUse(credentials);
    const scope = issued?.tokens?.scope ?? issued?.scope;
    return {
      issuer: credentials?.issuer ?? '',
      ...(scope === undefined ? {} : { scope }),
      ...(issued?.expiresAt === undefined ? {} : { expiresAt: new Date(issued.expiresAt).toISOString() }),
      isRenewable: issued?.tokens?.refresh_token !== undefined,
    };
  }

  /** `fetch` for requests to the MCP server: with its token, and again when a better token could be had. */
  wrap(inner: typeof fetch): typeof fetch {
    return async (url, init) => {
      const attempts: Attempts = { hasRefreshed: false, logins: 0 };
      for (;;) {
        const token = await this.#validToken();
        this.#noteSent(token);
        const response = await inner(url, withToken(init, token));
        const isStepUp = response.status === 403 && wantsScope(response);
        if (response.status !== 401 && !isStepUp) {
          if (response.ok) await this.#letIn();
          return response;
        }
        if (!(await this.#renew(response, token, isStepUp, attempts))) return response;
        await response.body?.cancel();
      }
    };
  }

  /** Logs in anew, whatever is stored. Throws `login_refused`, `login_failed`, `credentials_unusable`. */
  async logIn(authorizer: Authorizer, challenge: Challenge): Promise<void> {
    await loadSdk();
    const { key, store, settings, guard, guardedFetch } = this.context;
    const known = this.#read();
    try {
      const { issuer, issued } = await authorizeOnce({
        serverId: key.serverId,
        serverUrl: key.url,
        settings,
        scope: this.#scopeFor(challenge),
        resourceMetadataUrl: challenge.resourceMetadataUrl,
        known,
        authorizer,
        fetch: guardedFetch,
        checkUrl: (url) => checkUrl(url, guard),
      });
      const login = { ...issued, loginId: randomUUID() };
      await store.update(key, (now) => ({ issuer, issued: { ...now?.issued, [issuer]: login } }));
      this.#problem = undefined;
    } catch (error) {
      throw loginFault(error, key.serverId);
    }
  }

  #noteSent(token: string | undefined): void {
    if (token === undefined || this.#sent.includes(token)) return;
    this.#sent = [token, ...this.#sent].slice(0, tokensHidden);
  }

  /** The token to send; one that ends soon is renewed first, and sent as it is where that fails. */
  async #validToken(): Promise<string | undefined> {
    const issued = unlessUnusable(() => this.#issued());
    const token = issued?.tokens?.access_token;
    if (issued === undefined || token === undefined || !isEnding(issued)) return token;
    // Whatever is wrong is found out again when the server refuses the token.
    await refreshTokens(this.context, token).catch(() => false);
    return unlessUnusable(() => this.#issued())?.tokens?.access_token;
  }

  /** True when the request is worth sending again. Two requests that are refused at once lead to one login. */
  #renew(response: Response, refused: string | undefined, isStepUp: boolean, attempts: Attempts): Promise<boolean> {
    const { resourceMetadataUrl, scope } = sdk().extractWWWAuthenticateParams(response);
    const work = async () => {
      try {
        const now = this.#issued();
        if (now?.tokens !== undefined && now.tokens.access_token !== refused) return true;
        if (!isStepUp && refused !== undefined && !attempts.hasRefreshed) {
          attempts.hasRefreshed = true;
          if (await refreshTokens(this.context, refused)) return true;
        }
        const wanted = isStepUp ? sdk().computeScopeUnion(now?.scope, now?.tokens?.scope, scope) : scope;
        return await this.#logInOrGiveUp(attempts, {
          ...(wanted === undefined ? {} : { scope: wanted }),
          ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: resourceMetadataUrl.href }),
          ...(isStepUp ? { isStepUp } : {}),
        });
      } catch (error) {
        this.#problem = isToolcribError(error) ? error : loginFault(error, this.context.key.serverId);
        return false;
      }
    };
    const turn = this.#turn.then(work, work);
    this.#turn = turn;
    return turn;
  }

  async #logInOrGiveUp(attempts: Attempts, challenge: Challenge): Promise<boolean> {
    if (this.#authorizer !== undefined && attempts.logins < loginsMax) {
      attempts.logins += 1;
      await this.logIn(this.#authorizer, challenge);
      return true;
    }
    const { key, store } = this.context;
    this.#problem = loginRequired(key.serverId, challenge.isStepUp === true);
    if (JSON.stringify(this.#read()?.challenge) !== JSON.stringify(challenge)) {
      await store.update(key, (now) => ({ issued: {}, ...now, challenge }));
    }
    return false;
  }

  /** What was noted when the server wanted a login no longer holds; that it wants more scopes for some things may. */
  async #letIn(): Promise<void> {
    this.#problem = undefined;
    const { awaited } = this;
    if (awaited === undefined || awaited.isStepUp) return;
    const { key, store, logger } = this.context;
    await store
      .update(key, (now) => now && withoutChallenge(now))
      .catch((error: unknown) => logger.warn('A login that is not needed stays noted.', { error: messageOf(error) }));
  }

  /** What the user configured takes the place of what the server names, and is added to what it asks for later. */
  #scopeFor({ scope, isStepUp = false }: Challenge): string | undefined {
    const configured = this.context.settings.scopes?.join(' ');
    return isStepUp ? sdk().computeScopeUnion(configured, scope) : (configured ?? scope);
  }

  #read(): ServerCredentials | undefined {
    return this.context.store.read(this.context.key);
  }

  #issued(): IssuedCredentials | undefined {
    return inUse(this.#read());
  }
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init;
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

function wantsScope(response: Response): boolean {
  return sdk().extractWWWAuthenticateParams(response).error === 'insufficient_scope';
}

function withoutChallenge({ challenge: _challenge, ...rest }: ServerCredentials): ServerCredentials {
  return rest;
}
