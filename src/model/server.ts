import type { JsonObject } from './json.ts';
import type { ServerTrust } from './trust.ts';

/** How a server is reached. */
export type ServerTransport =
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | HttpTransport;

export interface HttpTransport {
  kind: 'http';
  url: string;
  headers: Record<string, string>;
  /** True for a server that the user says speaks the deprecated HTTP+SSE transport (MCP 2024-11-05). */
  sse?: boolean;
  /** How to log in, where the server asks for it; `false` never does. Absent: found out from the server. */
  oauth?: OAuthSettings | false;
}

/** What a user may say about logging in to a server over HTTP; all else is discovered. */
export interface OAuthSettings {
  /** A client that is registered at the authorization server. Default: toolcrib registers itself. */
  clientId?: string;
  /** Never appears in a log. */
  clientSecret?: string;
  /** A client id metadata document: an https URL that describes this client, used where the server takes such. */
  clientMetadataUrl?: string;
  /** Scopes to ask for, in place of those that the server names. */
  scopes?: string[];
  /** The only authorization server that is accepted. */
  issuer?: string;
  /** The loopback port that the browser comes back to; for clients that are registered with one. Default: any free one. */
  callbackPort?: number;
  /** Host names in private networks that may take part in the login besides the server's own. */
  allowedHosts?: string[];
}

/** One enabled server, ready to be started: variables expanded, defaults filled in. */
export interface ServerSpec {
  /** The key in the user's config. */
  id: string;
  /** Place in the config, from 0: decides the order of tools in direct mode. */
  position: number;
  transport: ServerTransport;
  /** Idle limit of one call in milliseconds; progress resets it. Default 60 000. */
  timeoutMs: number;
  /** Absolute limit of one call in milliseconds. Default 600 000. */
  maxTimeoutMs: number;
  /** Limit for start, handshake and first list in milliseconds. Default 30 000. */
  connectTimeoutMs: number;
  /** Milliseconds without a call after which the server is disconnected; 0 for never. Default: that of `limits`. */
  idleTimeoutMs?: number;
  /** Globs over raw tool names. Empty `include` means all. */
  tools: ToolFilter;
  /** The user's own words about this server; searchable. */
  description?: string;
  /** `perCaller`: each principal has a connection of its own. Default: all share one. */
  isolation?: 'shared' | 'perCaller';
  /** How far its definitions are believed. Default `standard`. */
  trust?: ServerTrust;
  /** SHA-256 over command, arguments, URL and names of env variables: catalog rows of another one are not used. */
  fingerprint: string;
}

export interface ToolFilter {
  include: string[];
  exclude: string[];
}

/** A server of the config that is not started: switched off by the user, or because its entry has a problem. */
export interface DisabledServer {
  id: string;
  position: number;
  /** Why; absent when the user set `enabled: false`. */
  problem?: string;
}

/** What the catalog keeps about a server. */
export interface ServerRecord {
  id: string;
  position: number;
  fingerprint: string;
  description?: string;
  /** Milliseconds since the epoch of the last good list; absent when the server was never listed. */
  listedAt?: number;
  /** True when a later list failed: the tools are those of `listedAt`. */
  stale: boolean;
  /** The failure that made it stale or kept it from being listed. */
  lastError?: string;
  /** Freshness that the server itself gave with its list, in milliseconds. */
  ttlMs?: number;
  /** The protocol verdict of the last connection and its date, to skip the probe next time. */
  era?: EraVerdict;
  /** Number of tools that can be searched and called. */
  toolCount: number;
}

/** Which protocol era a server speaks. A stale `legacy` verdict never fails loudly, hence the date. */
export interface EraVerdict {
  era: 'modern' | 'legacy';
  protocolVersion: string;
  /** Set for a server that speaks nothing but the deprecated HTTP+SSE transport (MCP 2024-11-05). */
  transport?: 'sse';
  /** Milliseconds since the epoch. */
  decidedAt: number;
  /** The server's `server/discover` result, kept for modern servers. */
  discover?: JsonObject;
}

/** `login_required`: it is reached, and answers nothing before its user has logged in. */
export type ServerStateName = 'disabled' | 'idle' | 'connecting' | 'ready' | 'failed' | 'login_required';

/** The live state of one server, as events and notes report it. */
export interface ServerState {
  id: string;
  state: ServerStateName;
  /** Why it is disabled or failed, in words for a person; never holds a secret. */
  error?: string;
  /** While the server is left alone after failures: when it is tried again, in milliseconds since the epoch. */
  retryAt?: number;
  /** Why it is left alone, in words that a model may see. */
  reason?: string;
}
