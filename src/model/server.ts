import type { JsonObject } from './json.ts';

/** How a server is reached. */
export type ServerTransport =
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { kind: 'http'; url: string; headers: Record<string, string> };

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
  /** Globs over raw tool names. Empty `include` means all. */
  tools: ToolFilter;
  /** The user's own words about this server; searchable. */
  description?: string;
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
  /** Milliseconds since the epoch. */
  decidedAt: number;
  /** The server's `server/discover` result, kept for modern servers. */
  discover?: JsonObject;
}

export type ServerStateName = 'disabled' | 'idle' | 'connecting' | 'ready' | 'failed';

/** The live state of one server, as events and notes report it. */
export interface ServerState {
  id: string;
  state: ServerStateName;
  /** Why it is disabled or failed, in words for a person; never holds a secret. */
  error?: string;
}
