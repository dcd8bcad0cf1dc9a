import type { OAuthSettings } from '../model/index.ts';

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
  /** The same bound in tokens; goes before `thresholdPercent`. */
  thresholdTokens?: number;
  /** Lets the mode change while running, with a `list_changed`. Default false: it holds until the next start. */
  liveModeSwitch?: boolean;
  /** Exposed names of tools that discovery mode lists beside the meta-tools. Default none. */
  pinned?: string[];
  /**
   * What becomes of a result that `call_tool` brings and that breaks the output schema of its tool: `warn` passes it with a
   * warning in its metadata and the log, `strict` makes it an error, as direct mode always does. Default `warn`.
   */
  outputSchema?: 'warn' | 'strict';
  /** Longest exposed name in characters, 16–128. Default 64. */
  nameMaxLength?: number;
  /**
   * The SQLite file of the catalog, taken from the folder of the config; `:memory:` keeps it in memory. Default: a
   * file of its own per config in the user's data directory, and `:memory:` for options without a config file.
   */
  catalog?: string;
  /**
   * The file that keeps logins to servers, taken from the folder of the config; `:memory:` keeps them for the life of the
   * process. Default: `credentials.json` in the user's data directory.
   */
  credentials?: string;
  /**
   * What search embeds with: the shipped model, nothing (keywords alone), or another model. Default `minilm`. A change embeds
   * the whole catalog anew, in the background.
   */
  embedding?: 'minilm' | 'none' | EmbeddingOptions;
  /** Who may call what: the first rule that fits decides. Default none: all runs on stdio, and over HTTP what only reads. */
  policy?: PolicyRuleOptions[];
  /** Bounds on work and size. Each has a default where it is used. */
  limits?: Limits;
  /** How many calls may be made, and how many run at once. All defaults are far above what models do. */
  rateLimits?: RateLimits;
  /**
   * Takes configured secrets (values of env and headers) and known forms of credentials out of results, as is always done in
   * logs and the record of calls. Default false: results pass as they are.
   */
  redactResults?: boolean;
  /** The record of calls and started servers, kept in the catalog. */
  audit?: AuditOptions;
  /** `toolcrib serve --http`. */
  http?: HttpOptions;
  /** What `toolcrib eval --model` asks. Texts may hold variables. */
  quality?: QualityOptions;
}

/** One rule. All its conditions must hold; a rule without any fits every call. Texts may be lists of alternatives. */
export interface PolicyRuleOptions {
  /** What becomes of a call that the rule fits: it runs, a person is asked first, or it is refused. */
  action: 'allow' | 'ask' | 'deny';
  /** Glob over the id of the server. */
  server?: string | string[];
  /** Glob over the name that the server gave the tool, without a prefix. */
  tool?: string | string[];
  /** Annotations and their values: `{ readOnlyHint: true }`. Fits only tools of servers with `trust: "trusted"`. */
  annotations?: Record<string, boolean>;
  /** What the tool may do, as annotations of a trusted server say; `destructive` where nothing is known. */
  effect?: ToolEffect | ToolEffect[];
  /** Glob over who calls: `stdio`, `local` (library, command line), `http`, `session:…`, `client:…`, or a `principal`. */
  caller?: string | string[];
}

type ToolEffect = 'read' | 'write' | 'destructive';

export type EmbeddingOptions = BuiltInEmbedding | TransformersEmbedding | OpenAiEmbedding;

interface BuiltInEmbedding {
  /** The shipped model, or none. */
  provider: 'minilm' | 'none';
}

interface CommonEmbedding {
  /** How many values a vector has. Default: as many as the model gives. */
  dimensions?: number;
  /** Put before each query, where the model was trained with one (`"query: "`). Default none. */
  queryPrefix?: string;
  /** Put before each tool's text. Default none. */
  documentPrefix?: string;
  /** What the model reads: `latin` leaves text in other scripts to the keywords. Default `any`. */
  languages?: 'any' | 'latin';
}

/**
 * A model that runs here, through `@huggingface/transformers` or `@xenova/transformers`, which you install yourself. Texts
 * may hold variables.
 */
export interface TransformersEmbedding extends CommonEmbedding {
  /** A model that runs here. */
  provider: 'transformers';
  /** An id on the hub, or a folder (absolute, or starting with `./` or `../`, from the folder of the config). */
  model: string;
  /** Branch, tag or commit on the hub. Default `main`. */
  revision?: string;
  /** Which ONNX file of the model. `@xenova/transformers` knows `q8` and `fp32`. Default `q8`. */
  dtype?: 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4';
  /** How the vectors of the tokens become one. Default `mean`. */
  pooling?: 'mean' | 'cls';
  /** Default: whichever is installed, `@huggingface/transformers` first. */
  library?: '@huggingface/transformers' | '@xenova/transformers';
  /** A folder whose `node_modules` holds the package. Default: where toolcrib itself is installed. */
  libraryFolder?: string;
  /** Where models from the hub are kept. Default: the user's cache directory. */
  cacheFolder?: string;
  /** `false` uses only what is in `cacheFolder`. Default true: a missing model is fetched, once. */
  allowDownload?: boolean;
  /** Another place with the hub's layout. */
  hubUrl?: string;
}

/**
 * An OpenAI-compatible `/v1/embeddings` endpoint. Each search then sends its query there, and goes by keywords where no
 * answer comes in time. Texts may hold variables.
 */
export interface OpenAiEmbedding extends CommonEmbedding {
  /** An endpoint. */
  provider: 'openai';
  /** The part before `/embeddings`: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** The name that the endpoint knows the model by. */
  model: string;
  /** Sent as a bearer token. Never appears in a log. */
  apiKey?: string;
  /** Texts in one request, 1–512. Default 32. */
  batchSize?: number;
  /** Limit of one request for tools in milliseconds. Default 30 000. */
  timeoutMs?: number;
  /** Limit of one query in milliseconds, up to 10 000. Default 1 000. */
  queryTimeoutMs?: number;
}

/** One server: either `command` or `url`. Texts may hold `${VAR}`, `${VAR:-default}`, `${workspaceFolder}`, `${userHome}`. */
export interface ServerOptions {
  /** The program of a stdio server. */
  command?: string;
  /** What the program is started with. */
  args?: string[];
  /** Environment of the program, on top of a few safe variables. Values never appear in a log. */
  env?: Record<string, string | number | boolean | null>;
  /** Working directory of the program; a relative one is taken from the workspace folder. */
  cwd?: string;
  /** The endpoint of a server over HTTP. */
  url?: string;
  /** HTTP headers of every request. Values never appear in a log. */
  headers?: Record<string, string>;
  /** How to log in to the server, as far as it cannot be discovered; `false` never logs in. */
  oauth?: OAuthOptions | false;
  /** `sse` is the deprecated HTTP+SSE transport; without it, it is tried after Streamable HTTP. The others only check. */
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
  /** Disconnects the server after this many milliseconds without a call; 0 never. Default: `idleTimeoutMs` of `limits`. */
  idleTimeoutMs?: number;
  /** Globs over raw tool names: which tools are taken. A bare list is `include`. Default all. */
  tools?:
    | string[]
    | {
        /** Only tools that one of these fits. Default all. */
        include?: string[];
        /** None of those that one of these fits. */
        exclude?: string[];
      };
  /** Your own words about the server; searchable. */
  description?: string;
  /** `false` drops `<server id>__` from tool names; allowed only with exactly one enabled server. Default true. */
  prefix?: boolean;
  /**
   * How far the server's definitions are believed: `trusted` accepts changes and counts its annotations, `standard` accepts
   * what is first seen and checks later changes, `quarantine` uses nothing before a person has approved it. Default `standard`.
   */
  trust?: 'trusted' | 'standard' | 'quarantine';
  /**
   * `perCaller` gives each caller a connection (over stdio: a process) of their own, so that nobody can be asked what the
   * server wants to know from another. Default `shared`.
   */
  isolation?: 'shared' | 'perCaller';
}

/** What the login to a server over HTTP needs beyond what is discovered. Texts may hold variables. */
export interface OAuthOptions extends OAuthSettings {
  /** Default true. */
  enabled?: boolean;
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
  /**
   * Disconnects a server after this many milliseconds without a call, until it is needed again; 0 never. Not while calls run, nor
   * in direct mode, where hosts are told of changes, a server that announces them. Default 0.
   */
  idleTimeoutMs?: number;
  /** Bytes of one message from a server. */
  messageMaxBytes?: number;
  /**
   * Tokens (o200k) of the text of one result; a longer one is cut, and the rest read by a handle. 0 never cuts anything.
   * Default 25 000.
   */
  resultMaxTokens?: number;
  /** Tokens of `structuredContent` of one result as JSON; a larger one is left out, and read by a handle. Default 25 000. */
  structuredMaxTokens?: number;
  /** Base64 bytes of all images, audio and files of one result. Default 10 MiB. */
  mediaMaxBytes?: number;
  /** How long, in milliseconds after its last use, the rest of a cut result can be read. Default 30 minutes. */
  handleTtlMs?: number;
}

/** Bounds on calls, each process for itself. Beyond them a call is answered with `rate_limited` and the time to wait. */
export interface RateLimits {
  /** Of one caller, its searches included. Default 30 000 a minute, 256 at once. */
  caller?: RateLimit;
  /** To one server. Default 60 000 a minute, 256 at once. */
  server?: RateLimit;
  /** Of one tool. Default 30 000 a minute, 256 at once. */
  tool?: RateLimit;
  /** Calls that wait until they may run, half of them of one caller at most. Default 1 000. */
  queueMax?: number;
  /** Longest such wait in milliseconds. Default 30 000. */
  queueMaxWaitMs?: number;
}

/** How many calls of one. */
export interface RateLimit {
  /** Within a minute; 0 is no limit. */
  perMinute?: number;
  /** Running at the same time; 0 is no limit. */
  atOnce?: number;
}

/** What is recorded, and for how long; the oldest go first. */
export interface AuditOptions {
  /** Default true. */
  enabled?: boolean;
  /** Default 90. */
  maxAgeDays?: number;
  /** Bytes of all records. Default 64 MiB; in a catalog in memory at most 4 MiB. */
  maxBytes?: number;
}

/** What `toolcrib eval` uses. */
export interface QualityOptions {
  /** The model that evaluation cases are run through with `--model`. */
  model?: {
    /** An OpenAI-compatible endpoint: the URL that `/chat/completions` is put behind. */
    baseUrl: string;
    /** Its name at the endpoint. */
    model: string;
    /** Sent as a bearer token. Never appears in a log. */
    apiKey?: string;
    /** For one answer, in milliseconds. Default 60 000. */
    timeoutMs?: number;
  };
}

/** Where `toolcrib serve --http` listens, and how much it takes. */
export interface HttpOptions {
  /** 0–65 535; 0 takes any free one. Default 7333. */
  port?: number;
  /** Default 127.0.0.1. Addresses that other machines reach are served to callers with a token alone. */
  host?: string;
  /** Whether every request needs a token. Default: as soon as one was created. `false` works on loopback alone. */
  requireToken?: boolean;
  /**
   * What becomes of a call of a tool that is out of its caller's scope: `hide` answers as for a tool that there is not,
   * `challenge` with 403 and the scope that is missing. Default `hide`.
   */
  outOfScope?: 'hide' | 'challenge';
  /**
   * Host names, besides those of loopback, by which the server may be reached (header `Host`). Default: none on loopback, any
   * elsewhere.
   */
  allowedHosts?: string[];
  /** Host names of web pages that may use the server (header `Origin`), besides loopback. Default none. */
  allowedOrigins?: string[];
  /** Bytes of one request body. */
  bodyMaxBytes?: number;
  /** Sessions at once. */
  maxSessions?: number;
}
