import { randomBytes } from 'node:crypto';
import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthServerInfo,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../../model/index.ts';
import { sdk } from '../sdk.ts';
import type { IssuedCredentials, ServerCredentials } from './credential-store.ts';
import { loginRefused } from './login-faults.ts';

/** How the user's consent is got: by a browser, or by a program in a test. */
export interface Authorizer {
  /** Where the authorization server sends the user back to. */
  readonly redirectUrl: string;
  /** Shows the URL to the user and resolves with the parameters of the redirect that follows. */
  authorize(authorizationUrl: URL): Promise<URLSearchParams>;
}

export interface AuthorizationRequest {
  serverId: string;
  serverUrl: string;
  settings: OAuthSettings;
  /** Scopes to ask for, separated by spaces; default: those that the server's metadata names. */
  scope?: string | undefined;
  resourceMetadataUrl?: string | undefined;
  known: ServerCredentials | undefined;
  authorizer: Authorizer;
  /** Checks every URL, see `guarded-fetch.ts`. */
  fetch: typeof fetch;
  /** Throws for a URL that the user must not be sent to. */
  checkUrl(url: URL): void;
}

/**
 * One authorization code flow with PKCE: finds the authorization server by the server's metadata, registers where
 * needed, gets the user's consent, and exchanges the code. The SDK does the protocol; added here are the checks that
 * it leaves to others: metadata that promises S256, the issuer that the user accepts, the `state`, and the `iss` of a
 * redirect that carries an error. Throws `login_refused`, `login_failed`, and errors of the SDK.
 */
export async function authorizeOnce(
  request: AuthorizationRequest,
): Promise<{ issuer: string; issued: IssuedCredentials }> {
  const { auth, discoverOAuthServerInfo, fetchToken } = sdk();
  // The token will be sent there with every request.
  request.checkUrl(new URL(request.serverUrl));
  const { serverUrl, resourceMetadataUrl, fetch: fetchFn, authorizer } = request;
  const metadataUrl = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl: new URL(resourceMetadataUrl) };
  const found = await discoverOAuthServerInfo(serverUrl, { ...metadataUrl, fetchFn });
  const metadata = checkedMetadata(found, request);
  const flow = new Flow(request, { ...found, authorizationServerMetadata: metadata });
  const { scope } = request;
  await auth(flow, { serverUrl, fetchFn, ...metadataUrl, ...(scope === undefined ? {} : { scope }) });
  if (flow.authorizationUrl === undefined) throw new Error('The SDK asked for no consent.');
  request.checkUrl(flow.authorizationUrl);
  const answer = await authorizer.authorize(flow.authorizationUrl);
  const { code, iss } = readRedirect(answer, flow.sentState, metadata, request.serverId);
  // Not `auth` again: after a refusal it would send the code, which is good for one use, a second time.
  const tokens = await fetchToken(flow, found.authorizationServerUrl, {
    metadata,
    authorizationCode: code,
    ...(iss === undefined ? {} : { iss }),
    ...(flow.resource === undefined ? {} : { resource: flow.resource }),
    fetchFn,
  });
  return { issuer: metadata.issuer, issued: flow.issued({ ...tokens, issuer: metadata.issuer }) };
}

function checkedMetadata(found: OAuthServerInfo, request: AuthorizationRequest): AuthorizationServerMetadata {
  const { serverId, settings, known } = request;
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = found;
  if (metadata === undefined) {
    throw loginRefused(
      serverId,
      `The authorization server ${authorizationServerUrl} publishes no metadata, so nothing about it can be checked.`,
    );
  }
  const { issuer } = metadata;
  if (settings.issuer !== undefined && settings.issuer !== issuer) {
    throw loginRefused(
      serverId,
      `It names the authorization server ${issuer}, and its "oauth" entry accepts ${settings.issuer} alone.`,
    );
  }
  // A secret of the user goes to the server it was made for, and no other may get it by being named.
  const isMoved = known?.issuer !== undefined && known.issuer !== issuer;
  if (settings.clientSecret !== undefined && settings.issuer === undefined && isMoved) {
    throw loginRefused(
      serverId,
      `It names the authorization server ${issuer}, which is not ${known.issuer} as before; the configured client secret is not sent there.`,
      'If the change is right, set "issuer" in the server\'s "oauth" entry.',
    );
  }
  // MCP "Authorization Code Protection": without the promise of S256 a client must not go on.
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    throw loginRefused(serverId, `The authorization server ${issuer} does not say that it supports PKCE with S256.`);
  }
  return metadata;
}

/** RFC 9207: whom the redirect is from is checked before anything else in it is believed. */
function readRedirect(
  answer: URLSearchParams,
  state: string,
  metadata: AuthorizationServerMetadata,
  serverId: string,
): { code: string; iss: string | undefined } {
  if (answer.get('state') !== state)
    throw loginRefused(serverId, 'The redirect carries another "state" than was sent.');
  const iss = answer.get('iss') ?? undefined;
  sdk().validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata.issuer,
    issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
  });
  const code = answer.get('code');
  if (code !== null) return { code, iss };
  throw new (sdk().OAuthError)(answer.get('error') ?? 'server_error', answer.get('error_description') ?? '');
}

/** The state of one flow in the shape that the SDK asks for. */
class Flow implements OAuthClientProvider {
  authorizationUrl: URL | undefined;
  /** RFC 8707; undefined for a server without metadata. */
  resource: string | undefined;
  readonly sentState = randomBytes(32).toString('base64url');
  readonly clientMetadataUrl?: string;
  readonly #request: AuthorizationRequest;
  readonly #found: OAuthServerInfo & { authorizationServerMetadata: AuthorizationServerMetadata };
  #client: StoredOAuthClientInformation | undefined;
  #isRegistered = false;
  #verifier = '';

  constructor(
    request: AuthorizationRequest,
    found: OAuthServerInfo & { authorizationServerMetadata: AuthorizationServerMetadata },
  ) {
    this.#request = request;
    this.#found = found;
    const { clientMetadataUrl } = request.settings;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.#client = this.#configuredClient() ?? this.#earlierClient();
  }

  get redirectUrl(): string {
    return this.#request.authorizer.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'toolcrib',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: this.#authMethod(),
    };
  }

  state(): string {
    return this.sentState;
  }

  discoveryState() {
    return this.#found;
  }

  saveDiscoveryState(): void {}

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
    this.#isRegistered = true;
  }

  /** None: the user is asked in any case. */
  tokens(): undefined {}

  saveTokens(): void {}

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }

  invalidateCredentials(scope: string): void {
    if (scope === 'client' || scope === 'all') this.#client = this.#configuredClient();
  }

  /** What to keep of a flow that came to its end with these tokens. */
  issued(tokens: StoredOAuthTokens): IssuedCredentials {
    const scope = this.authorizationUrl?.searchParams.get('scope') ?? tokens.scope;
    const isOurs = this.#isRegistered || this.#configuredClient() === undefined;
    return {
      ...withTimes(tokens),
      ...(isOurs && this.#client !== undefined ? { client: this.#client, redirectUrl: this.redirectUrl } : {}),
      ...(scope === undefined ? {} : { scope }),
      ...(this.resource === undefined ? {} : { resource: this.resource }),
      metadata: this.#found.authorizationServerMetadata,
    };
  }

  #configuredClient(): StoredOAuthClientInformation | undefined {
    return configuredClient(this.#request.settings, this.#found.authorizationServerMetadata.issuer);
  }

  /** A registration is used again where it was made: at this issuer, for this address to come back to. */
  #earlierClient(): StoredOAuthClientInformation | undefined {
    const earlier = this.#request.known?.issued[this.#found.authorizationServerMetadata.issuer];
    if (earlier?.redirectUrl !== this.redirectUrl) return undefined;
    const { client } = earlier;
    // A registration names the scopes that the client may ask for.
    const covered = client !== undefined && 'scope' in client ? client.scope : undefined;
    if (covered !== undefined && sdk().isStrictScopeSuperset(this.#request.scope, covered)) return undefined;
    const expiresAt =
      client !== undefined && 'client_secret_expires_at' in client ? client.client_secret_expires_at : 0;
    return typeof expiresAt === 'number' && expiresAt !== 0 && expiresAt * 1_000 < Date.now() ? undefined : client;
  }

  /** A program on the user's machine cannot keep a secret, so none is asked for where the server allows that. */
  #authMethod(): string {
    const supported = this.#found.authorizationServerMetadata.token_endpoint_auth_methods_supported;
    if (supported === undefined || supported.length === 0 || supported.includes('none')) return 'none';
    return supported.find((method) => ['client_secret_basic', 'client_secret_post'].includes(method)) ?? 'none';
  }
}

/** The client that the user registered, at whichever authorization server was accepted. */
export function configuredClient(settings: OAuthSettings, issuer: string): StoredOAuthClientInformation | undefined {
  const { clientId, clientSecret } = settings;
  if (clientId === undefined) return undefined;
  return { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }), issuer };
}

/** Tokens with the times that `expires_in` stands for. */
export function withTimes(tokens: StoredOAuthTokens): Pick<IssuedCredentials, 'tokens' | 'obtainedAt' | 'expiresAt'> {
  const obtainedAt = Date.now();
  const { expires_in: seconds } = tokens;
  return { tokens, obtainedAt, ...(seconds === undefined ? {} : { expiresAt: obtainedAt + seconds * 1_000 }) };
}
