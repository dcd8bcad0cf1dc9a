import type { AuditEntry, AuditQuery } from './audit.ts';
import type { CallOptions, CallToolResult } from './call.ts';
import type { NewToken, NewTokenOptions, TokenListing } from './caller.ts';
import type { Finding } from './finding.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { LoginOptions, LoginReport, LogoutReport } from './login.ts';
import type { CallGrant, CallToApprove, PolicyTest, PolicyTestOptions } from './policy.ts';
import type { CatalogQuality } from './quality.ts';
import type { IngestReport, SyncReport } from './reports.ts';
import type { SearchOptions, SearchResult } from './search.ts';
import type { ServerState } from './server.ts';
import type { ToolDefinition, ToolStatus } from './tool.ts';
import type { ApprovalReport, DefinitionLock, DefinitionReview, LockDifference, VersionListing } from './trust.ts';

/** The whole of one toolcrib: what the library returns and the CLI and the MCP server stand on. */
export interface Toolcrib {
  /**
   * Fills the catalog without a server: `rawTools` are tool definitions as `tools/list` has them. Replaces the
   * server's former list as one transaction. What they are searched by is made right after, in the background; a search
   * waits for it. `description` says what the server is for and is searched with its tools.
   */
  ingest(serverId: string, rawTools: readonly unknown[], options?: { description?: string }): IngestReport;
  /** Connects to servers (default: all enabled) and brings the catalog up to date. Throws `server_unknown`. */
  sync(serverIds?: readonly string[], onReport?: (report: SyncReport) => void): Promise<SyncReport[]>;
  /**
   * The tool array for a model: in discovery mode the three meta-tools and pins, in direct mode every tool. With `names`, these
   * tools in the order asked for, whatever the mode; those that do not exist or cannot be called are left out.
   */
  tools(options?: { names?: readonly string[] }): ToolDefinition[];
  /** Finds tools. Waits for no server and no pending embedding. Throws `invalid_cursor`, `invalid_arguments`. */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /**
   * Completes what is being typed to names of tools: those with words that begin with the words of `prefix`, at most `limit`
   * (default 10, at most 100). For people; a model searches.
   */
  complete(prefix: string, limit?: number): Promise<{ name: string; server: string; tool: string }[]>;
  /** The definition of one tool. Throws `unknown_tool`, `ambiguous_tool`. */
  describe(name: string, options?: DescribeOptions): ToolDescription;
  /**
   * Runs a meta-tool or, by its exposed or unambiguous bare name, any tool. Faults that a model can mend come back
   * as `isError` results with the next step in words.
   */
  call(name: string, args?: unknown, options?: CallOptions): Promise<CallToolResult>;
  /** Sizes and the mode. Waits until all tokens are counted. */
  stats(): Promise<Stats>;
  /** What the tools take of the model's context, and when discovery pays. Waits until all tokens are counted. */
  budget(): Promise<Budget>;
  /**
   * The tools for one conversation of a model: its calls bring these options, unless a call brings its own, and a search that
   * the model repeats is answered with the call to make. Needs no closing.
   */
  conversation(options?: CallOptions): ToolSource;
  /** Tools with their status, for people: `problemsOnly` leaves out those in order. */
  listTools(options?: { problemsOnly?: boolean; server?: string }): ToolListing[];
  listServers(): ServerListing[];
  /** What was called and which servers were started, by all processes of the catalog; written some tenths of a second later. */
  auditLog(query?: AuditQuery): AuditEntry[];
  /**
   * What a person looks over before `approve`: the tool of this name, or of a server every tool that waits. Throws
   * `unknown_tool`, `ambiguous_tool`.
   */
  review(toolOrServer: string): DefinitionReview[];
  /**
   * Accepts the definition of this hash (`hash` of a review) in the name of a person who has seen it; never to be offered to a
   * model. Throws `definition_changed` where the server lists another one by now.
   */
  approve(tool: { server: string; tool: string }, hash: string): ApprovalReport;
  /** The versions of a tool, newest first. Throws `unknown_tool`, `ambiguous_tool`. */
  history(name: string): VersionListing[];
  /** The definitions that are accepted now, as hashes: the contract for `compareLock`. */
  lock(): DefinitionLock;
  /** Where what the servers listed last differs from a lock; of these servers alone where given. Throws `lock_unusable`. */
  compareLock(lock: unknown, serverIds?: readonly string[]): LockDifference[];
  /** What would become of a call by the rules of the policy. Throws `unknown_tool`, `ambiguous_tool`. */
  testPolicy(name: string, options?: PolicyTestOptions): PolicyTest;
  /** Calls that wait for a person, because their host could not ask: oldest first. */
  callsToApprove(): CallToApprove[];
  /**
   * Allows a call that waits, in the name of a person who has seen it; never to be offered to a model. It is good for the same
   * caller, definition and arguments alone. Throws `approval_unknown`, `invalid_arguments`.
   */
  grantCall(id: string, grant?: CallGrant): CallToApprove;
  /** For tool owners: what is wrong with the definitions. */
  quality(): CatalogQuality;
  /**
   * Makes a token for a caller over HTTP, who is `client:<name>` in rules and records. Its secret is in this answer and
   * nowhere else. Each scope is `server[:tool][@effect]`, globs over server id and raw tool name and the worst effect:
   * `github`, `github:create_*`, `*@read`. Throws `invalid_arguments`, `token_exists`.
   */
  createToken(name: string, options: NewTokenOptions): NewToken;
  /** All tokens, also those that hold no longer; the oldest first. */
  tokens(): TokenListing[];
  /** Ends a token, by its id or the name of its caller: within a second, also for what is open. Throws `token_unknown`. */
  revokeToken(idOrName: string): TokenListing;
  /**
   * Logs in to a server over HTTP: OAuth in the user's browser, which comes back to this machine. Throws
   * `server_unknown`, `login_unsupported`, `login_refused`, `login_failed`, `credentials_unusable`, `cancelled`.
   */
  login(serverId: string, options: LoginOptions): Promise<LoginReport>;
  /** Forgets a login. Throws `server_unknown`, `login_unsupported`, `credentials_unusable`. */
  logout(serverId: string): Promise<LogoutReport>;
  on<Event extends keyof ToolcribEvents>(event: Event, listener: (payload: ToolcribEvents[Event]) => void): () => void;
  /** Resolves when every tool that was listed can be found by keywords: within a second for some thousands. */
  indexed(): Promise<void>;
  /** Resolves when every text has its vector and every tool its token count, or the embedder turned out broken. */
  settled(onProgress?: (progress: SettleProgress) => void): Promise<void>;
  close(): Promise<void>;
}

/** What a model's side needs of toolcrib: the whole of one, or one conversation. */
export type ToolSource = Pick<Toolcrib, 'tools' | 'call' | 'listTools' | 'testPolicy'>;

export interface ToolcribEvents {
  toolsChanged: IngestReport;
  /** The one thing that changes the tool list of discovery mode: from then on `tools()` gives the other list. */
  modeChanged: ModeChange;
  serverState: ServerState;
  log: LogEntry;
}

/** A switch of the list while running, which only `liveModeSwitch` allows. */
export interface ModeChange {
  from: 'direct' | 'discovery';
  to: 'direct' | 'discovery';
  /** A sentence for people, with the figures that decided. */
  reason: string;
}

export interface LogEntry {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  /** Redacted. */
  fields: Record<string, unknown>;
  /** Milliseconds since the epoch. */
  time: number;
}

export interface SettleProgress {
  embedded: number;
  texts: number;
}

export interface DescribeOptions {
  /** JSON Pointer (RFC 6901) into the input schema. */
  path?: string;
}

/** `describe` for programs; `text` is what a model reads, at most 4 000 tokens (o200k). */
export interface ToolDescription {
  name: string;
  server: string;
  tool: string;
  hash: string;
  status: ToolStatus;
  problem?: string;
  /** What the scan found in the definition, worst first; absent where that is nothing. */
  findings?: Finding[];
  title?: string;
  description: string;
  signature: string;
  inputSchema: JsonValue;
  outputSchema?: JsonValue;
  annotations?: JsonObject;
  /** Annotations count only from servers configured as trusted. */
  annotationsTrusted: boolean;
  /** When its server's list was fetched (ISO 8601), only where a later list failed. */
  asOf?: string;
  /** Why calls fail for now, while the server is left alone after failures. */
  unavailable?: string;
  /** What happens when the tool is called: runs at once, asks, is refused. */
  approval: string;
  /** Arguments that satisfy the input schema, as far as they can be made up. */
  example: JsonObject;
  text: string;
}

export interface Stats {
  servers: number;
  tools: number;
  /** Tokens of all definitions as direct mode would list them. */
  definitionTokens: number;
  metaToolTokens: number;
  /** Share of tokens saved by discovery, 0–100. */
  savedPercent: number;
  mode: 'direct' | 'discovery';
  modeReason: string;
  tokenizer: string;
  /** The mode a start right now would choose, when it differs from the one in force. */
  nextMode?: 'direct' | 'discovery';
  /** As many searches in one conversation cost as much as all definitions; 0 where discovery saves nothing. */
  breakEvenSearches: number;
  perServer: { server: string; tools: number; definitionTokens: number }[];
}

/** What the tools take of a model's context. All figures in tokens of `tokenizer`. */
export interface Budget {
  tokenizer: string;
  contextWindow: number;
  /** `auto` goes to discovery above it. */
  thresholdTokens: number;
  /** All definitions as direct mode would list them. */
  definitionTokens: number;
  /** The meta-tools, without pins. */
  metaToolTokens: number;
  mode: 'direct' | 'discovery';
  /** The list in force: in discovery mode with pins. */
  listTokens: number;
  /** Share of the context that the list in force takes, 0–100. */
  listPercent: number;
  /** One answer to a search: the average of the last ones, else what is usual. */
  searchTokens: number;
  /** Whether `searchTokens` was measured here. */
  isSearchMeasured: boolean;
  /** As many searches in one conversation cost as much as all definitions; 0 where discovery saves nothing. */
  breakEvenSearches: number;
}

export interface ToolListing {
  name: string;
  server: string;
  tool: string;
  status: ToolStatus;
  problem?: string;
  /** What the scan found in the definition, worst first; absent where that is nothing. */
  findings?: Finding[];
  /** When its server's list was fetched (ISO 8601), only where a later list failed. */
  asOf?: string;
}

export interface ServerListing {
  server: string;
  state: ServerState['state'];
  tools: number;
  listedAt?: string;
  stale: boolean;
  /** `listedAt`, only where a later list failed: the tools are those of then. */
  asOf?: string;
  era?: string;
  problem?: string;
}
