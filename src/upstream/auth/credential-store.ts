import type {
  AuthorizationServerMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** What one authorization server gave us for one MCP server. */
export interface IssuedCredentials {
  /** The client that was registered there; absent for one that the user configured. */
  client?: StoredOAuthClientInformation;
  /** Where the browser comes back to, as it was registered. */
  redirectUrl?: string;
  tokens?: StoredOAuthTokens;
  /** Milliseconds since the epoch. */
  obtainedAt?: number;
  /** Milliseconds since the epoch; absent when the server did not say. */
  expiresAt?: number;
  /** Scopes that were asked for, separated by spaces: a later request asks for no less. */
  scope?: string;
  /** Made anew with each login, and kept while its tokens are renewed. */
  loginId?: string;
  /** The RFC 8707 resource that the tokens are for. */
  resource?: string;
  /** The validated metadata, so that a refresh needs no discovery. */
  metadata: AuthorizationServerMetadata;
}

/** What stands between us and the server, as it last said. */
export interface Challenge {
  /** Scopes to ask for, separated by spaces. */
  scope?: string;
  resourceMetadataUrl?: string;
  /** True when a login exists and does not reach far enough. */
  isStepUp?: boolean;
}

/** All that is kept about logging in to one MCP server. */
export interface ServerCredentials {
  /** The authorization server in use: a key of `issued`. */
  issuer?: string;
  /** By issuer: nothing that one gave is ever shown to another. */
  issued: Record<string, IssuedCredentials>;
  /** Set while a login is needed. */
  challenge?: Challenge;
}

/** Which server: the same entry of a config at the same URL, in any config of the user. */
export interface CredentialKey {
  serverId: string;
  url: string;
}

/** Where credentials are kept. All methods but `update` and `exclusively` are cheap. */
export interface CredentialStore {
  /** As it is now, also when another process wrote it. Throws `credentials_unusable`. */
  read(key: CredentialKey): ServerCredentials | undefined;
  /** Replaces an entry by what `change` makes of it as it is now; undefined removes it. No two updates interleave. */
  update(
    key: CredentialKey,
    change: (now: ServerCredentials | undefined) => ServerCredentials | undefined,
  ): Promise<ServerCredentials | undefined>;
  /** Runs `work` while nobody else, in any process, does such work for this entry. */
  exclusively<T>(key: CredentialKey, work: () => Promise<T>): Promise<T>;
}

/** The credentials of the authorization server in use. */
export function inUse(credentials: ServerCredentials | undefined): IssuedCredentials | undefined {
  return credentials?.issuer === undefined ? undefined : credentials.issued[credentials.issuer];
}

/** Keeps credentials for the life of the process; for programs that keep no files. */
export class MemoryCredentialStore implements CredentialStore {
  readonly #entries = new Map<string, ServerCredentials>();
  readonly #queues = new Map<string, Promise<unknown>>();

  read(key: CredentialKey): ServerCredentials | undefined {
    return this.#entries.get(JSON.stringify(key));
  }

  async update(
    key: CredentialKey,
    change: (now: ServerCredentials | undefined) => ServerCredentials | undefined,
  ): Promise<ServerCredentials | undefined> {
    const next = change(structuredClone(this.read(key)));
    if (next === undefined) this.#entries.delete(JSON.stringify(key));
    else this.#entries.set(JSON.stringify(key), next);
    return next;
  }

  exclusively<T>(key: CredentialKey, work: () => Promise<T>): Promise<T> {
    const name = JSON.stringify(key);
    const turn = (this.#queues.get(name) ?? Promise.resolve()).then(work, work);
    this.#queues.set(name, turn);
    return turn;
  }
}
