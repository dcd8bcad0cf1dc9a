import type { JsonObject } from './json.ts';
import type { ToolId } from './tool.ts';

/** What a caller may know of and call, by the scopes of a token. Owned by `policy`; pure, and fast. */
export interface CallerScope {
  /** Equal for scopes that allow the same: what is kept for one is good for the other. */
  readonly key: string;
  /** True where a scope is for tools of the server, whether it has any or not. */
  knowsServer(serverId: string): boolean;
  /** True where the tool may be used. Its annotations are asked for only where a scope limits effects. */
  allows(id: ToolId, annotations: () => JsonObject | undefined): boolean;
}

/** Who calls over HTTP, by a token that was checked. */
export interface Caller {
  /** Of the token. */
  name: string;
  tokenId: string;
  /** Absent where the token is good for everything. */
  scope?: CallerScope;
}

/** What a request over HTTP is, by the token that it brought or did not bring. */
export type CallerVerdict =
  | { kind: 'known'; caller: Caller }
  /** No token is needed, and none came. */
  | { kind: 'open' }
  /** A token is needed and none came, or the one that came is good for nothing. */
  | { kind: 'refused'; hasToken: boolean }
  /** The same, once too often from this address. */
  | { kind: 'slowed'; retryAfterMs: number };

/** Tells callers over HTTP apart. Owned by `policy`, asked by `server` with each request. */
export interface CallerCheck {
  /** True when every request needs a token. */
  isRequired(): boolean;
  /** True when there are tokens, so that not all callers are alike. */
  tellsApart(): boolean;
  /** `authorization` is the header as it came; `address` where from. */
  check(authorization: string | undefined, address: string): Promise<CallerVerdict>;
  /** Whether what was admitted may go on: its token is neither revoked nor expired; without one, none is needed still. */
  isCurrent(caller: Caller | undefined): boolean;
}

/** A token as it is kept: its secret only as a hash. */
export interface StoredToken {
  /** Part of the secret that may be shown: 16 hex digits. */
  id: string;
  /** Who calls with it. */
  name: string;
  scopes: string[];
  /** SHA-256 (hex) of the secret: it is 256 random bits, which no slow hash makes safer. */
  secretHash: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
}

/** Where tokens are kept; several processes share it. None is ever deleted: a revoked one says that tokens are in use. */
export interface TokenStore {
  /** Grows with each change, by this or another process. Cheap: asked with each request. */
  generation(): number;
  /** The oldest first. */
  all(): StoredToken[];
  /** False, and nothing done, where another token of this name is in force. */
  add(token: StoredToken): boolean;
  /** Revokes the token in force of this id or name; undefined where there is none. */
  revoke(idOrName: string): StoredToken | undefined;
}

export interface NewTokenOptions {
  /** What it is good for; at least one. See `createToken`. */
  scopes: string[];
  /** Default: it does not expire. */
  expiresInDays?: number;
}

/** A token, as people may see it at any time. */
export interface TokenListing {
  id: string;
  name: string;
  scopes: string[];
  state: 'active' | 'expired' | 'revoked';
  /** ISO 8601, as the others. */
  createdAt: string;
  expiresAt?: string;
  revokedAt?: string;
}

/** A token with its secret, which is shown this once. */
export interface NewToken extends TokenListing {
  secret: string;
}
