/**
 * The ports between folders: what `search`, `router` and `upstream` know of each other. Concrete classes are
 * named in `app/` alone.
 */
import type { CallOptions, CallToolResult, ReadResourceResult } from './call.ts';
import type { CallerScope } from './caller.ts';
import type { CallOutcome, HostCallOptions, InputRequired, ResumePoint, UpstreamCallOptions } from './input.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { LoginOptions, LoginReport, LogoutReport } from './login.ts';
import type { IngestReport, SyncReport } from './reports.ts';
import type { SearchOptions, SearchResult } from './search.ts';
import type { EraVerdict, ServerRecord, ServerState } from './server.ts';
import type { Tool, ToolDefinition, ToolId, ToolName, ToolVersion } from './tool.ts';
import type { DescribeOptions, ToolDescription } from './toolcrib.ts';

/** Reads of the catalog. Only active servers: configured ones with a matching fingerprint, and ingested ones. */
export interface CatalogReader {
  /** Grows whenever tools or servers changed, by this or another process. Cheap: called on each search. */
  generation(): number;
  /** Active servers in config order, then ingested ones by id. */
  servers(): ServerRecord[];
  /** Tools in server order, then name. Without `includeSetAside` only those that can be called. */
  tools(filter?: { serverId?: string; includeSetAside?: boolean }): Tool[];
  /** The tools of these keys, in the order asked for; unknown keys are left out. */
  toolsByKeys(keys: readonly number[]): Tool[];
  tool(id: ToolId): Tool | undefined;
  /** The names of all active tools, set-aside ones included; cached for one generation. */
  names(): readonly ToolName[];
  /** Versions of one tool, newest first; removed tools are found as well. */
  history(id: ToolId): ToolVersion[];
}

/** The part of the catalog that one caller may know of: everything else might as well not be there. */
export interface CatalogView extends CatalogReader {
  /** Equal for views that show the same. */
  readonly key: string;
  /** The keys of the tools shown: one and the same set for a generation. */
  keys(): ReadonlySet<number>;
}

/** What a person decides about definitions. */
export interface DefinitionApprovals {
  /** The definition that a server lists in place of the accepted one, where that waits for a person. */
  offered(id: ToolId): { hash: string; definition: JsonValue } | undefined;
  /** Accepts the definition of this hash; false where it is not the one that the server lists now. */
  approve(id: ToolId, hash: string): boolean;
  /** Notes that a person does not want the definition of this hash, where it waits; false where it does not. */
  refuse(id: ToolId, hash: string): boolean;
  /** True where a person has said so. */
  isRefused(id: ToolId, hash: string): boolean;
}

/** A search of a model that found nothing. */
export interface MissedSearch {
  /** Masked and shortened. */
  query: string;
  times: number;
  /** Milliseconds since the epoch. */
  lastAt: number;
}

/** Searches that found nothing, the newest some hundred. */
export interface MissedSearches {
  /** Gives up at once while another process writes. */
  note(query: string): void;
  /** Newest first. */
  list(limit: number): MissedSearch[];
}

/** What came with a list. */
export interface ListMeta {
  fingerprint: string;
  /** Milliseconds since the epoch. */
  listedAt: number;
  /** Why the list was fetched: an empty list is believed after `list_changed`, else only when it comes twice. */
  trigger: 'first' | 'reconnect' | 'expired' | 'list_changed' | 'sync' | 'ingest';
  ttlMs?: number;
  /** What the server says it is for; searched with its tools. The user's own description of the server comes before it. */
  description?: string;
  /** Tools that cannot be called the way the server is reached, by their place in the list, with the reason. */
  unusable?: ReadonlyMap<number, string>;
  /** Credential partition for lists with `cacheScope: "private"`. Default ''. */
  partition?: string;
}

/** Writes to the catalog: the only way in which tool rows change. */
export interface CatalogWriter {
  /** Reads a list ahead of its `ingest`, letting others have their turn: a large list takes some time to read. */
  prepare(serverId: string, rawTools: readonly unknown[]): Promise<void>;
  ingest(serverId: string, rawTools: readonly unknown[], meta: ListMeta): IngestReport;
  /** Keeps the last good list and marks it stale. */
  markFailed(serverId: string, fingerprint: string, error: string): void;
  recordEra(serverId: string, fingerprint: string, verdict: EraVerdict): void;
  /** Says which credentials this process uses for a server: private lists of other partitions are not read. */
  useCredentials(serverId: string, partition: string): void;
}

export type KeywordColumn = 'name' | 'title' | 'description' | 'parameters' | 'server';

/** The part of a tool that the indexes are made from. */
export interface IndexableTool extends ToolId {
  title?: string;
  description?: string;
  inputSchema: JsonObject;
  /** What the user, or else the server itself, says the server is for. */
  serverDescription?: string;
}

/** Turns a tool into what the indexes store. Owned by `search/text`, called by the catalog at ingest. */
export interface ToolAnalyzer {
  /** Changes whenever the output for the same tool may change; the catalog then re-indexes. */
  readonly id: string;
  analyze(tool: IndexableTool): AnalyzedTool;
}

export interface AnalyzedTool {
  /** Space-separated tokens for each column. */
  keywords: Record<KeywordColumn, string>;
  /** What ranking reads of the tool's words; only stored by the catalog. */
  profile: Uint8Array;
  /** Texts to embed; the first is the main one. */
  embeddingTexts: string[];
}

export interface KeywordRequest {
  /** Tokens as the analyser makes them. */
  terms: readonly string[];
  weights: Record<KeywordColumn, number>;
  limit: number;
  serverId?: string;
  /** Only these tools. The same set again and again is read once. */
  within?: ReadonlySet<number>;
  /**
   * Bounds the time: the most frequent terms are left out so that those that remain occur in no more than this many tools,
   * added up. The rarest term always remains. Default: no bound.
   */
  maxPostings?: number;
}

/** BM25 over the analysed columns. Scores are positive, higher is better. */
export interface KeywordIndex {
  /** Any tool holding any term (OR), best first. */
  search(request: KeywordRequest): KeywordMatch[];
  /** In how many tools, or in how many of these, each term occurs, and how many there are. */
  documentFrequencies(
    terms: readonly string[],
    within?: ReadonlySet<number>,
  ): { frequencies: Map<string, number>; documents: number };
  /** The profiles of these tools as the analyser made them. Tools that are not indexed are left out. */
  profiles(keys: readonly number[]): Map<number, Uint8Array>;
}

export interface KeywordMatch {
  toolKey: number;
  score: number;
}

/** Vectors by text hash and model id, so that unchanged text is never embedded twice. */
export interface VectorStore {
  /** Grows whenever a vector was added, by this or another process. */
  vectorGeneration(): number;
  /** Of all texts of active tools, how many have a vector. */
  coverage(modelId: string): { texts: number; embedded: number };
  /** Texts of active tools without a vector, at most `limit`. */
  missing(modelId: string, limit: number): { textHash: string; text: string }[];
  /** The vectors of these texts, as far as 8 bits a value say; texts without one are left out. */
  get(modelId: string, textHashes: readonly string[]): Map<string, Float32Array>;
  put(modelId: string, vectors: readonly { textHash: string; vector: Float32Array }[]): void;
  /**
   * All vectors of active, callable tools: row i belongs to `toolKeys[i]` and is its text `textOrdinals[i]`. With the mark
   * of an earlier matrix of the same model, only the rows that came since, where that is all that changed.
   */
  matrix(modelId: string, since?: string): VectorMatrix;
}

/** Row i stands for the vector `scales[i]` × `values[i × dimensions …]`. */
export interface VectorMatrix {
  dimensions: number;
  toolKeys: Int32Array;
  textOrdinals: Int32Array;
  /** Row-major, each row scaled so that its greatest magnitude is 127. */
  values: Int8Array;
  scales: Float32Array;
  /** Says what state of the file this is; for the next call. */
  mark: string;
  /** True when the rows go behind those of the matrix whose mark was passed; false when they replace them. */
  isContinuation: boolean;
}

/** Turns text into unit vectors. */
export interface Embedder {
  /** Whatever decides which vector a text gets: stored beside each vector. */
  readonly id: string;
  /** 0 while only the model can tell and none of its vectors has been seen. */
  readonly dimensions: number;
  /** True for a model that reads more than Latin script, and is trusted with any. Default false. */
  readonly readsAllScripts?: boolean;
  /** Documents that `embed` takes best at once. Default: as the caller likes. */
  readonly documentBatch?: number;
  /** Milliseconds after which a query is given up by the embedder itself. Default: it has no limit of its own. */
  readonly queryTimeoutMs?: number;
  /**
   * Resolves once the model is loaded; rejects with `embedding_model_broken`, `embedding_library_missing`,
   * `embedding_endpoint_refused`.
   */
  ready(): Promise<void>;
  /** Queries overtake documents that wait. Rejects as `ready`, and with `embedding_endpoint_unavailable` for a while. */
  embed(texts: readonly string[], priority: 'query' | 'document'): Promise<Float32Array[]>;
  /**
   * The vector of a query, then those of parts of it, each read in the context of the whole: one pass instead of several
   * ("late chunking", Günther et al. 2024). Without this method each part is embedded by itself. Rejects as `embed`.
   */
  embedParts?(query: string, parts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface ToolSearcher {
  /** With a view, as if the catalog held nothing else. */
  search(query: string, options?: SearchOptions, view?: CatalogView): Promise<SearchResult>;
}

/** Calls a tool on its server. Throws `ToolcribError` with an upstream code; `isError` results are results. */
export interface ToolCaller {
  /** Gives a `CallPause` when the server has questions; the call goes on with `options.resume` and the answers. */
  call(tool: Tool, args: JsonObject, options?: UpstreamCallOptions): Promise<CallOutcome>;
  /** Ends a call that waits for answers which will not come. */
  abandon(resume: ResumePoint): void;
}

/** Reads a resource from one server. Throws `ToolcribError` with an upstream code. */
export interface ResourceReader {
  readResource(serverId: string, uri: string, options?: CallOptions): Promise<ReadResourceResult>;
}

/** Keeps the catalog in step with the servers. */
export interface Upstream extends ToolCaller, ResourceReader {
  /** Lists these servers (default all) now, in parallel and bounded, each within its own limit. Never rejects for one server. */
  sync(serverIds?: readonly string[], onReport?: (report: SyncReport) => void): Promise<SyncReport[]>;
  /** Connects, in the background, the servers whose list is missing or expired. Returns at once. */
  refreshInBackground(): void;
  states(): ServerState[];
  /**
   * Logs in to a server with its user's consent and lists it. Throws `server_unknown`, `login_unsupported`,
   * `login_refused`, `login_failed`, `credentials_unusable`, `cancelled`.
   */
  login(serverId: string, options: LoginOptions): Promise<LoginReport>;
  /** Deletes what is kept of a login, and asks the authorization server to revoke it. Throws as `login` does. */
  logout(serverId: string): Promise<LogoutReport>;
  on(event: 'serverState', listener: (state: ServerState) => void): () => void;
  on(event: 'toolsChanged', listener: (report: IngestReport) => void): () => void;
  close(): Promise<void>;
}

/** What a call may bring beside its options, where one program speaks for a model. */
export interface DispatchOptions extends CallOptions {
  /** What the model has searched for so far: a search that it repeats is answered with the call to make. */
  searches?: SearchMemory;
}

/** The searches of one conversation. */
export interface SearchMemory {
  /** True where the same was searched for before with the same best tool; remembers it. */
  isRepeated(search: { query: string; server?: string; detail?: string }, bestName: string): boolean;
}

/** Which list the model gets, and why. */
export interface ModeDecision {
  mode: 'direct' | 'discovery';
  /** A sentence for people, with the figures that decided. */
  reason: string;
  definitionTokens: number;
  thresholdTokens: number;
}

/** What a model's side sees of toolcrib: the tool list and the calls. */
export interface Router {
  /**
   * The list in force: the meta-tools, or every tool that the caller may use. Sorted, byte-stable; the same array until it
   * changes.
   */
  listTools(scope?: CallerScope): ToolDefinition[];
  /** The scope that the caller lacks for this tool of the list; undefined where it lacks none, or there is no such tool. */
  missingScope(name: string, args: unknown, options: HostCallOptions): string | undefined;
  /** These tools, listed or not, as a list shows them; those that do not exist or cannot be called are left out. */
  toolsNamed(names: readonly string[]): ToolDefinition[];
  /**
   * Runs a tool of the list, and `toolcrib__` ones. Throws `unknown_tool` for a name that is not listed,
   * `input_state_invalid` for answers that belong to no call that waits, and with `takesInputRequired` also
   * `input_unavailable` (`details.requiredCapabilities`); every other fault is an `isError` result with the next step in
   * words. `InputRequired` comes only with `takesInputRequired`.
   */
  callTool(name: string, args: unknown, options?: HostCallOptions): Promise<CallToolResult | InputRequired>;
  /**
   * Reads a resource that a tool's result named to this caller, from the server whose result it was. Throws
   * `unknown_resource`, `ambiguous_resource`, and upstream codes.
   */
  readResource(uri: string, options?: HostCallOptions): Promise<ReadResourceResult>;
  /** Any tool of the catalog, exposed or unambiguous bare name. Throws `unknown_tool`, `ambiguous_tool`, `invalid_path`. */
  describe(name: string, options?: DescribeOptions): ToolDescription;
  /** Runs a meta-tool in any mode, or any tool the way `call_tool` does. Never throws for faults a model can mend. */
  dispatch(name: string, args: unknown, options?: DispatchOptions): Promise<CallToolResult>;
  /** The decision in force since start. */
  mode(): ModeDecision;
  /** The decision on the catalog as it is now: what the next start would choose. */
  nextMode(): ModeDecision;
  /** What a host shows its model about toolcrib as a whole; fixed bytes for each mode. */
  readonly instructions: string;
  /** True while someone listens for changes of a list that follows the servers': they must stay connected. */
  readonly isFollowed: boolean;
  /** Called when `listTools()` has changed: in direct mode after an ingest, or with `liveModeSwitch`. */
  onListChanged(listener: () => void): () => void;
}

/** Structured log lines; secrets are redacted by the implementation. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}
