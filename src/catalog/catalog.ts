import {
  type AuditStore,
  type CallApprovals,
  type CatalogReader,
  type CatalogWriter,
  type DefinitionApprovals,
  type DefinitionPolicy,
  defaultNaming,
  type EraVerdict,
  type IngestReport,
  type KeywordIndex,
  type KeywordRequest,
  type ListMeta,
  type MissedSearches,
  type ModeDecision,
  type Naming,
  type OperationStore,
  type ServerRecord,
  type TokenStore,
  type Tool,
  type ToolAnalyzer,
  type ToolId,
  type ToolName,
  type ToolVersion,
  type VectorStore,
} from '../model/index.ts';
import { Approvals } from './approvals.ts';
import { AuditTable } from './audit-table.ts';
import { CallApprovalTable } from './call-approvals.ts';
import { Configuration } from './configure.ts';
import { Counters } from './counters.ts';
import { asOpeningFault, type Database, openDatabase } from './database.ts';
import { DefinitionScans } from './definition-scans.ts';
import { explainFaults } from './explain-faults.ts';
import { Ingest } from './ingest.ts';
import { KeywordTable } from './keyword-table.ts';
import { MissedSearchTable } from './missed-searches.ts';
import { OperationTable } from './operation-table.ts';
import { PendingTexts } from './pending-texts.ts';
import { ServerTable, type WantedServer } from './server-table.ts';
import { TextIndex } from './text-index.ts';
import { type ServerTokens, TokenCounts, type UncountedTool } from './token-counts.ts';
import { TokenTable } from './token-table.ts';
import { ToolReader } from './tool-reader.ts';
import { ToolTable } from './tool-table.ts';
import { VectorTable } from './vector-table.ts';

export interface CatalogOptions {
  /** A file, created when missing, or `:memory:`. */
  path: string;
  analyzer: ToolAnalyzer;
  /** Default: none; then every definition is accepted as it comes. */
  policy?: DefinitionPolicy;
  /** Default: 64 characters, prefixed. */
  naming?: Naming;
}

export interface Catalog extends CatalogReader, CatalogWriter, DefinitionApprovals, KeywordIndex, VectorStore {
  /** What persons allow, call by call. */
  readonly callApprovals: CallApprovals;
  /**
   * Says which servers are active in this process, and how tools are named and hidden. Servers left out vanish at once;
   * those filled through the library's `ingest` stay.
   */
  configure(servers: readonly WantedServer[], naming?: Naming): void;
  /**
   * Makes what is searched for in tools that were listed or are to be read anew, for about `limitMs` (default: until all
   * is done); true when some are left. A search does the same first, within bounds, for tools that it could not find yet.
   */
  indexPending(limitMs?: number): boolean;
  /** Scans the definitions that were not scanned yet, for about `limitMs` (default: all); true when some are left. */
  scanPending(limitMs?: number): boolean;
  /** Says whose counts are kept: those of another tokenizer are forgotten. */
  useTokenizer(name: string): void;
  /** Callable tools without a token count, at most `limit`. */
  uncountedTools(limit: number): UncountedTool[];
  setTokenCounts(counts: readonly { key: number; hash: string; tokens: number }[]): void;
  /** Per active server with tools, in order. */
  definitionTokens(): ServerTokens[];
  /** The mode that an earlier start chose by size, for the hysteresis. */
  rememberedMode(): ModeDecision['mode'] | undefined;
  rememberMode(mode: ModeDecision['mode']): void;
  /** The record of calls and starts. */
  readonly audit: AuditStore;
  /** Calls with an idempotency key. */
  readonly operations: OperationStore;
  /** The tokens of HTTP callers. */
  readonly callerTokens: TokenStore;
  /** Searches of models that found nothing. */
  readonly missedSearches: MissedSearches;
  close(): void;
}

/**
 * Opens or creates a catalog. Throws `catalog_unopenable`, `catalog_corrupt`, `catalog_newer`, `catalog_locked`,
 * `catalog_unwritable`; methods of the catalog may throw the last two and `catalog_corrupt` as well.
 */
export function openCatalog(options: CatalogOptions): Catalog {
  const database = openDatabase(options.path);
  try {
    return explainFaults(new SqliteCatalog(database, options), options.path);
  } catch (error) {
    database.close();
    throw asOpeningFault(error, options.path);
  }
}

class SqliteCatalog implements Catalog {
  readonly callApprovals: CallApprovals;
  readonly audit: AuditStore;
  readonly callerTokens: TokenStore;
  readonly operations: OperationStore;
  readonly missedSearches: MissedSearches;
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #reader: ToolReader;
  readonly #approvals: Approvals;
  readonly #scans: DefinitionScans;
  #isScanToTell = false;
  readonly #versions: ToolTable;
  readonly #pending: PendingTexts;
  readonly #keywords: KeywordTable;
  readonly #vectors: VectorTable;
  readonly #tokens: TokenCounts;
  readonly #configuration: Configuration;
  readonly #ingest: Ingest;
  #naming: Naming;

  constructor(database: Database, { analyzer, policy, naming = defaultNaming }: CatalogOptions) {
    this.#database = database;
    this.callApprovals = new CallApprovalTable(database);
    this.audit = new AuditTable(database);
    this.missedSearches = new MissedSearchTable(database);
    this.#naming = naming;
    const counters = new Counters(database);
    const servers = new ServerTable(database, counters);
    const scans = new DefinitionScans(database, policy);
    const reader = new ToolReader(database, counters, servers, { scans, policy });
    const texts = new TextIndex(database, analyzer);
    const pending = new PendingTexts(database, counters, texts);
    this.operations = new OperationTable(database);
    this.callerTokens = new TokenTable(database, counters);
    this.#counters = counters;
    this.#servers = servers;
    this.#reader = reader;
    this.#scans = scans;
    this.#versions = new ToolTable(database);
    this.#approvals = new Approvals({ database, counters, servers, tools: this.#versions });
    this.#pending = pending;
    this.#keywords = new KeywordTable(database, counters, servers, pending);
    this.#vectors = new VectorTable(database, counters, servers, pending);
    this.#tokens = new TokenCounts(database, servers);
    this.#configuration = new Configuration({ database, counters, servers, reader });
    this.#ingest = new Ingest({ database, counters, servers, texts, scans, policy, naming: () => this.#naming });
    this.#configuration.applyAnalyzer(analyzer);
    this.#configuration.applyPolicy(policy);
    this.#configuration.applyNaming(naming);
  }

  configure(servers: readonly WantedServer[], naming: Naming = this.#naming): void {
    this.#naming = naming;
    this.#configuration.applyNaming(naming);
    this.#configuration.applyServers(servers);
    this.#forgetActive();
  }

  generation(): number {
    return this.#counters.read('generation');
  }

  servers(): ServerRecord[] {
    return this.#servers.records();
  }

  tools(filter?: { serverId?: string; includeSetAside?: boolean }): Tool[] {
    return this.#reader.tools(filter);
  }

  toolsByKeys(keys: readonly number[]): Tool[] {
    return this.#reader.toolsByKeys(keys);
  }

  tool(id: ToolId): Tool | undefined {
    return this.#reader.tool(id);
  }

  names(): readonly ToolName[] {
    return this.#reader.names();
  }

  history({ serverId, toolName }: ToolId): ToolVersion[] {
    return this.#versions.versions(serverId, this.#servers.partitionInUse(serverId), toolName);
  }

  offered(id: ToolId) {
    return this.#approvals.offered(id);
  }

  approve(id: ToolId, hash: string): boolean {
    return this.#approvals.approve(id, hash);
  }

  refuse(id: ToolId, hash: string): boolean {
    return this.#approvals.refuse(id, hash);
  }

  isRefused(id: ToolId, hash: string): boolean {
    return this.#approvals.isRefused(id, hash);
  }

  prepare(serverId: string, rawTools: readonly unknown[]): Promise<void> {
    return this.#ingest.prepare(serverId, rawTools);
  }

  ingest(serverId: string, rawTools: readonly unknown[], meta: ListMeta): IngestReport {
    return this.#ingest.run(serverId, rawTools, meta);
  }

  markFailed(serverId: string, fingerprint: string, error: string): void {
    const mark = this.#database.transaction(() => {
      const row = this.#servers.rowInUse(serverId, fingerprint);
      if (row.stale === 1 && row.last_error === error) return;
      this.#database.prepare('UPDATE server SET stale = 1, last_error = ? WHERE pk = ?').run(error, row.pk);
      this.#counters.bump('generation');
    });
    mark.immediate();
  }

  recordEra(serverId: string, fingerprint: string, verdict: EraVerdict): void {
    const record = this.#database.transaction(() => {
      const row = this.#servers.rowInUse(serverId, fingerprint);
      this.#database.prepare('UPDATE server SET era = ? WHERE pk = ?').run(JSON.stringify(verdict), row.pk);
    });
    record.immediate();
  }

  useCredentials(serverId: string, partition: string): void {
    if (!this.#servers.useCredentials(serverId, partition)) return;
    this.#forgetActive();
    // Whoever keeps something by generation must look again; rare, as credentials hardly change under a running process.
    this.#counters.bump('generation');
  }

  search(request: KeywordRequest) {
    return this.#keywords.search(request);
  }

  profiles(keys: readonly number[]) {
    return this.#keywords.profiles(keys);
  }

  documentFrequencies(terms: readonly string[], within?: ReadonlySet<number>) {
    return this.#keywords.documentFrequencies(terms, within);
  }

  vectorGeneration(): number {
    return this.#vectors.vectorGeneration();
  }

  coverage(modelId: string) {
    return this.#vectors.coverage(modelId);
  }

  missing(modelId: string, limit: number) {
    return this.#vectors.missing(modelId, limit);
  }

  get(modelId: string, textHashes: readonly string[]) {
    return this.#vectors.get(modelId, textHashes);
  }

  put(modelId: string, vectors: readonly { textHash: string; vector: Float32Array }[]): void {
    this.#vectors.put(modelId, vectors);
  }

  matrix(modelId: string, since?: string) {
    return this.#vectors.matrix(modelId, since);
  }

  indexPending(limitMs = Number.POSITIVE_INFINITY): boolean {
    return this.#pending.step(limitMs);
  }

  scanPending(limitMs = Number.POSITIVE_INFINITY): boolean {
    const { isLeft, isFound, isHeld } = this.#scans.step(limitMs);
    this.#isScanToTell ||= isFound;
    // Others read anew with each generation: mere findings are told once, at the end.
    if (isHeld || (this.#isScanToTell && !isLeft)) {
      this.#counters.bump('generation');
      this.#isScanToTell = false;
    }
    return isLeft;
  }

  useTokenizer(name: string): void {
    this.#tokens.useTokenizer(name);
  }

  uncountedTools(limit: number): UncountedTool[] {
    return this.#tokens.uncounted(limit);
  }

  setTokenCounts(counts: readonly { key: number; hash: string; tokens: number }[]): void {
    this.#tokens.set(counts);
  }

  definitionTokens(): ServerTokens[] {
    return this.#tokens.perServer();
  }

  rememberedMode(): ModeDecision['mode'] | undefined {
    const stored = this.#database.prepare("SELECT value FROM meta WHERE key = 'mode'").pluck().get();
    return stored === 'direct' || stored === 'discovery' ? stored : undefined;
  }

  rememberMode(mode: ModeDecision['mode']): void {
    if (this.rememberedMode() === mode) return;
    this.#database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('mode', ?)").run(mode);
  }

  close(): void {
    this.#database.close();
  }

  #forgetActive(): void {
    this.#reader.forgetNames();
    this.#keywords.forgetCounts();
    this.#vectors.forgetActive();
  }
}
