import type { JsonObject } from '../model/index.ts';

/** The keys of a config, as a file has them and as a program passes them. Every key may be left out. */
export interface ToolcribOptions {
  /** Servers by id, in the shape that MCP hosts use. The order decides the order of tools in direct mode. */
  mcpServers?: Record<string, ServerOptions>;
  /** Which list the model gets. `auto` picks by the size of the definitions. Default `auto`. */
  mode?: 'auto' | 'direct' | 'discovery';
  /** Size of the model's context in tokens. Default 200 000. */
  contextWindow?: number;
  /** `auto` goes to discovery once the definitions take more than this share of the context, 0–100. Default 5. */
  thresholdPercent?: number;
  /** Lets the mode change while running, with a `list_changed`. Default false: it holds until the next start. */
  liveModeSwitch?: boolean;
  /** Exposed names of tools that discovery mode lists beside the meta-tools. Default none. */
  pinned?: string[];
  /** Longest exposed name in characters, 16–128. Default 64. */
  nameMaxLength?: number;
  /**
   * The SQLite file of the catalog, taken from the folder of the config; `:memory:` keeps it in memory. Default: a
   * file of its own per config in the user's data directory, and `:memory:` for options without a config file.
   */
  catalog?: string;
  /** The embedding model that search uses; `none` leaves keywords alone. Default `minilm`. */
  embedding?: 'minilm' | 'none';
  /** Reserved for rules about which tools may be called. */
  policy?: JsonObject;
  /** Bounds on work and size. Each has a default where it is used. */
  limits?: Limits;
  /** `toolcrib serve --http`. */
  http?: HttpOptions;
}

/** One server: either `command` or `url`. Texts may hold `${VAR}`, `${VAR:-default}`, `${workspaceFolder}`, `${userHome}`. */
export interface ServerOptions {
  /** The program of a stdio server. */
  command?: string;
  args?: string[];
  /** Environment of the program, on top of a few safe variables. Values never appear in a log. */
  env?: Record<string, string | number | boolean | null>;
  /** Working directory of the program; a relative one is taken from the workspace folder. */
  cwd?: string;
  /** The endpoint of a Streamable HTTP server. */
  url?: string;
  /** HTTP headers of every request. Values never appear in a log. */
  headers?: Record<string, string>;
  /** Only a check: `command` means stdio, `url` means http. */
  type?: 'stdio' | 'http' | 'streamable-http' | 'streamableHttp' | 'sse';
  /** Default true. */
  enabled?: boolean;
  /** What other hosts call `enabled: false`. */
  disabled?: boolean;
  /** Idle limit of one call in milliseconds; progress resets it. Default 60 000. */
  timeoutMs?: number;
  /** Absolute limit of one call in milliseconds. Default 600 000. */
  maxTimeoutMs?: number;
  /** Limit for start, handshake and first list in milliseconds. Default 30 000. */
  connectTimeoutMs?: number;
  /** Globs over raw tool names: which tools are taken. A bare list is `include`. Default all. */
  tools?: string[] | { include?: string[]; exclude?: string[] };
  /** Your own words about the server; searchable. */
  description?: string;
  /** `false` drops `<server id>__` from tool names; allowed only with exactly one enabled server. Default true. */
  prefix?: boolean;
}

/** Bounds that a config can move. What is left out keeps the default of the part that applies it. */
export interface Limits {
  /** Servers that are started at once. */
  parallelStarts?: number;
  /** Age in milliseconds after which the list of a server that announces no changes is fetched again. */
  listMaxAgeMs?: number;
  /** Pages of one `tools/list`. */
  listMaxPages?: number;
  /** Tools of one server. */
  listMaxTools?: number;
  /** Bytes of one message from a server. */
  messageMaxBytes?: number;
}

/** Where `toolcrib serve --http` listens, and how much it takes. */
export interface HttpOptions {
  /** 0–65 535; 0 takes any free one. Default 7333. */
  port?: number;
  /** A loopback address. Default 127.0.0.1. */
  host?: string;
  /** Bytes of one request body. */
  bodyMaxBytes?: number;
  /** Sessions at once. */
  maxSessions?: number;
}
