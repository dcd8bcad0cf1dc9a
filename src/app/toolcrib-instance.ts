import { ingestFingerprint } from '../catalog/index.ts';
import type { ResolvedConfig } from '../config/index.ts';
import type { ConsoleSource } from '../console/index.ts';
import { ToolcribError } from '../errors/index.ts';
import type {
  ApprovalReport,
  AuditEntry,
  AuditQuery,
  Budget,
  CallGrant,
  CallOptions,
  CallToApprove,
  CallToolResult,
  CatalogQuality,
  DefinitionLock,
  DefinitionReview,
  DescribeOptions,
  IngestReport,
  LockDifference,
  Logger,
  LoginOptions,
  LoginReport,
  LogoutReport,
  NewToken,
  NewTokenOptions,
  PolicyTest,
  PolicyTestOptions,
  SearchOptions,
  SearchResult,
  ServerListing,
  SettleProgress,
  Stats,
  SyncReport,
  TokenListing,
  Toolcrib,
  ToolcribEvents,
  ToolDefinition,
  ToolDescription,
  ToolId,
  ToolListing,
  ToolSource,
  VersionListing,
} from '../model/index.ts';
import { BackgroundWork } from './background-work.ts';
import { callsToApprove, grantCall } from './call-approvals.ts';
import { createToken, listTokens, revokeToken } from './caller-tokens.ts';
import { type ComposeOptions, compose, type Parts } from './compose.ts';
import { consoleSource } from './console-source.ts';
import { startConversation } from './conversation.ts';
import { compareLock, lockDefinitions } from './definition-lock.ts';
import { approveDefinition, reviewServer, reviewTool, versionsOf } from './definition-reviews.ts';
import type { EventHub } from './event-hub.ts';
import { listServers, listTools } from './listings.ts';
import { testPolicy } from './policy-test.ts';
import { catalogQuality } from './quality.ts';
import { type Figures, measureBudget, measureStats } from './stats.ts';
import { serverInfo } from './version.ts';

/** One toolcrib: passes each request to the part that answers it. */
export class ToolcribInstance implements Toolcrib {
  readonly #parts: Parts;
  readonly #work: BackgroundWork;
  readonly #config: ResolvedConfig;
  readonly #events: EventHub;
  readonly #logger: Logger;
  readonly #callDefaults: CallOptions;
  readonly #guests = new Set<() => Promise<void>>();
  #closing: Promise<void> | undefined;

  constructor(config: ResolvedConfig, logger: Logger, events: EventHub, options: ComposeOptions = {}) {
    this.#config = config;
    this.#logger = logger;
    this.#events = events;
    this.#callDefaults = options.onElicitation === undefined ? {} : { onElicitation: options.onElicitation };
    this.#parts = compose(config, logger, options);
    this.#work = new BackgroundWork({ ...this.#parts, logger, isClosing: () => this.#closing !== undefined });
    this.#parts.upstream.on('serverState', (state) => events.emit('serverState', state));
    this.#parts.upstream.on('toolsChanged', (report) => this.#afterIngest(report));
    // What an earlier run left, or made with an earlier analyser.
    this.#work.startIndexing();
  }

  ingest(serverId: string, rawTools: readonly unknown[], options: { description?: string } = {}): IngestReport {
    const { catalog } = this.#open();
    checkIngest(serverId, rawTools);
    const report = catalog.ingest(serverId, rawTools, {
      fingerprint: ingestFingerprint,
      listedAt: Date.now(),
      trigger: 'ingest',
      ...(options.description === undefined ? {} : { description: options.description }),
    });
    this.#afterIngest(report);
    return report;
  }

  sync(serverIds?: readonly string[], onReport?: (report: SyncReport) => void): Promise<SyncReport[]> {
    return this.#open().upstream.sync(serverIds, onReport);
  }

  tools({ names }: { names?: readonly string[] } = {}): ToolDefinition[] {
    const router = this.#open().router();
    // A copy: hosts add to what they are given, and the list must stay what it is.
    return structuredClone(names === undefined ? router.listTools() : router.toolsNamed(names));
  }

  search(query: string, options?: SearchOptions): Promise<SearchResult> {
    const { searcher, refresh } = this.#open();
    refresh();
    return searcher.search(query, options);
  }

  async complete(prefix: string, limit?: number): Promise<{ name: string; server: string; tool: string }[]> {
    const found = await this.#open().typeAhead.complete(prefix, limit);
    return found.map(({ exposedName, serverId, toolName }) => ({
      name: exposedName,
      server: serverId,
      tool: toolName,
    }));
  }

  describe(name: string, options?: DescribeOptions): ToolDescription {
    return this.#open().router().describe(name, options);
  }

  async call(name: string, args?: unknown, options?: CallOptions): Promise<CallToolResult> {
    const router = this.#open().router();
    return router.dispatch(name, args ?? {}, { ...this.#callDefaults, ...options });
  }

  async stats(): Promise<Stats> {
    return measureStats(await this.#figures());
  }

  async budget(): Promise<Budget> {
    return measureBudget(await this.#figures());
  }

  conversation(options: CallOptions = {}): ToolSource {
    return startConversation({
      source: this,
      defaults: { ...this.#callDefaults, ...options },
      dispatch: async (name, args, callOptions) => this.#open().router().dispatch(name, args, callOptions),
    });
  }

  listTools(options: { problemsOnly?: boolean; server?: string } = {}): ToolListing[] {
    return listTools(this.#open().catalog, options);
  }

  auditLog(query?: AuditQuery): AuditEntry[] {
    return this.#open().catalog.audit.read(query);
  }

  listServers(): ServerListing[] {
    const { catalog, upstream } = this.#open();
    return listServers(catalog, upstream, this.#config);
  }

  review(toolOrServer: string): DefinitionReview[] {
    const { catalog } = this.#open();
    const isServer = this.listServers().some(({ server }) => server === toolOrServer);
    return isServer ? reviewServer(catalog, toolOrServer) : [reviewTool(catalog, this.#find(toolOrServer))];
  }

  approve({ server, tool }: { server: string; tool: string }, hash: string): ApprovalReport {
    const report = approveDefinition(this.#open().catalog, { serverId: server, toolName: tool }, hash);
    this.#work.start();
    return report;
  }

  history(name: string): VersionListing[] {
    return versionsOf(this.#open().catalog, this.#find(name));
  }

  lock(): DefinitionLock {
    return lockDefinitions(this.#open().catalog);
  }

  compareLock(lock: unknown, serverIds?: readonly string[]): LockDifference[] {
    return compareLock(this.#open().catalog, lock, serverIds);
  }

  testPolicy(name: string, { isOverHttp, ...call }: PolicyTestOptions = {}): PolicyTest {
    const { catalog, callPolicy, isTrusted } = this.#open();
    const deps = { catalog, policy: callPolicy(isOverHttp), tokens: catalog.callerTokens.all(), isTrusted };
    return testPolicy(deps, this.#find(name), call);
  }

  callsToApprove(): CallToApprove[] {
    return callsToApprove(this.#open().catalog.callApprovals);
  }

  grantCall(id: string, grant: CallGrant = {}): CallToApprove {
    return grantCall(this.#open().catalog.callApprovals, id, grant);
  }

  createToken(name: string, options: NewTokenOptions): NewToken {
    return createToken(this.#open().catalog.callerTokens, name, options);
  }

  tokens(): TokenListing[] {
    return listTokens(this.#open().catalog.callerTokens);
  }

  revokeToken(idOrName: string): TokenListing {
    return revokeToken(this.#open().catalog.callerTokens, idOrName);
  }

  quality(): CatalogQuality {
    return catalogQuality(this.#open(), this.#config, this.#logger);
  }

  login(serverId: string, options: LoginOptions): Promise<LoginReport> {
    return this.#open().upstream.login(serverId, options);
  }

  logout(serverId: string): Promise<LogoutReport> {
    return this.#open().upstream.logout(serverId);
  }

  on<Event extends keyof ToolcribEvents>(event: Event, listener: (payload: ToolcribEvents[Event]) => void): () => void {
    return this.#events.on(event, listener);
  }

  indexed(): Promise<void> {
    return this.#open().textIndexing.run();
  }

  async settled(onProgress?: (progress: SettleProgress) => void): Promise<void> {
    this.#open();
    await this.#work.settled(onProgress);
  }

  /** The list and the calls, for the MCP server face. */
  router() {
    return this.#open().router();
  }

  /** Tells HTTP callers apart, for the MCP server face. */
  callers() {
    return this.#open().callers();
  }

  /** What the console shows and does. */
  consoleSource(): ConsoleSource {
    return consoleSource(this, this.#open(), this.#config);
  }

  /** What is to end before this does; the answer takes it off again. */
  beforeClose(end: () => Promise<void>): () => void {
    this.#guests.add(end);
    return () => this.#guests.delete(end);
  }

  /** How it is shown to MCP hosts. */
  face() {
    return { serverInfo, logger: this.#logger, liveModeSwitch: this.#config.liveModeSwitch };
  }

  /** Brings missing and old lists up to date without anyone waiting, and goes on with what an earlier run left undone. */
  startBackgroundWork(): void {
    this.#open().upstream.refreshInBackground();
    this.#work.start();
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const { upstream, resultTokens, audit, instruments, catalog } = this.#parts;
    await Promise.all([...this.#guests].map((end) => end()));
    await Promise.all([this.#work.stop(), upstream.close(), resultTokens.close()]);
    instruments?.close();
    await audit?.close();
    catalog.close();
    this.#events.clear();
  }

  async #figures(): Promise<Figures> {
    const { catalog, counter, answers, tokenCounting, router } = this.#open();
    await tokenCounting.run();
    this.#open();
    return { catalog, counter, answers, router: router(), contextWindow: this.#config.contextWindow };
  }

  #afterIngest(report: IngestReport): void {
    if (this.#closing !== undefined) return;
    // A switch is told of now, and not when the list is next asked for.
    if (this.#config.liveModeSwitch) this.#parts.routerInUse()?.mode();
    this.#events.emit('toolsChanged', report);
    if (report.held !== undefined) {
      const { serverId: server, held: tools } = report;
      this.#logger.warn('definitions wait for a person', { server, tools });
    }
    this.#work.start();
  }

  #find(name: string): ToolId {
    const { server, tool } = this.describe(name);
    return { serverId: server, toolName: tool };
  }

  #open(): Parts {
    if (this.#closing !== undefined) throw new ToolcribError('closed', 'This toolcrib was closed before.');
    return this.#parts;
  }
}

/** Programs without types pass anything; a wrong list must not empty a server. */
function checkIngest(serverId: unknown, rawTools: unknown): void {
  if (typeof serverId !== 'string' || serverId === '') {
    throw new ToolcribError('invalid_arguments', `ingest: serverId must be a text; got ${JSON.stringify(serverId)}.`);
  }
  if (!Array.isArray(rawTools)) {
    throw new ToolcribError('invalid_arguments', `ingest: rawTools must be a list; got ${JSON.stringify(rawTools)}.`);
  }
}
