import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isToolcribError, messageOf, ToolcribError } from '../errors/index.ts';
import {
  abortable,
  type CallOutcome,
  type CatalogReader,
  type CatalogWriter,
  type IngestReport,
  isJsonObject,
  type JsonObject,
  type ListMeta,
  type ReadResourceResult,
  type ServerRecord,
  type ServerSpec,
  type ServerState,
  steadyNow,
  type Tool,
  type UpstreamCallOptions,
} from '../model/index.ts';
import { loginRequired } from './auth/login-faults.ts';
import type { ServerAuth } from './auth/server-auth.ts';
import { Backoff } from './backoff.ts';
import { CallLane } from './call-lane.ts';
import { cancelled, closed } from './call-tool.ts';
import { CallerLines, type Line } from './caller-lines.ts';
import { peopleMessage } from './faults.ts';
import type { UpstreamLimits } from './limits.ts';
import { Link, type LinkDeps, type LinkEnd, stateAfter } from './link.ts';
import { type ListedTools, listTools } from './list-tools.ts';
import { headerProblem } from './mirrored-headers.ts';
import type { ParkedCalls } from './parked-calls.ts';
import { partitionOf } from './partition.ts';
import type { ReadOptions } from './read-resource.ts';
import { RelistSchedule } from './relist-schedule.ts';
import { Restart } from './restart.ts';
import { defaultPrincipal } from './running-call.ts';
import type { Session } from './session.ts';
import { secretHider } from './text.ts';

/** An empty list that was not believed is asked for once more after this time: the server may still be waking up. */
const emptyListAgainMs = 2_000;
/** Pause between two lists that calls to unknown tools led to. */
const doubtMinIntervalMs = 10_000;
/** So long the first call on a new connection waits for the list that says whether its tool is still the same. */
const firstListMaxMs = 2_000;
/** A verdict that did not change is written again after a day, so that its date stays of use. */
const verdictRewriteMs = 24 * 3_600_000;

type Trigger = ListMeta['trigger'];

/** What a line needs besides what its connection answers itself. */
type LineDeps = Omit<
  LinkDeps,
  | 'closing'
  | 'hideSecrets'
  | 'knownEra'
  | 'idleTimeoutMs'
  | 'signOfLifeMs'
  | 'onState'
  | 'onConnected'
  | 'onChange'
  | 'onEnded'
  | 'onElicitation'
  | 'onElicitationComplete'
>;

export interface ConnectionDeps extends LineDeps {
  parked: ParkedCalls<CallLane>;
  catalog: Pick<CatalogReader, 'servers' | 'tool' | 'tools'> & CatalogWriter;
  limits: UpstreamLimits;
  secrets: readonly string[];
  needsNotices(): boolean;
  onState(state: ServerState): void;
  onToolsChanged(report: IngestReport): void;
}

/** One server: its lists go into the catalog, one at a time, and its tools can be called. */
export class Connection {
  readonly spec: ServerSpec;
  readonly #backoff = new Backoff();
  readonly #deps: ConnectionDeps;
  readonly #link: Link;
  readonly #lane: CallLane;
  /** With `isolation: "perCaller"`, calls go on lines of their own, and the shared one serves the lists. */
  readonly #callers: CallerLines | undefined;
  readonly #relist: RelistSchedule;
  readonly #restart: Restart;
  readonly #closing = new AbortController();
  #listing: Promise<IngestReport> | undefined;
  #nextListing: Promise<IngestReport> | undefined;
  /** The first list of a new connection, while it is under way. Never rejects. */
  #firstList: Promise<void> | undefined;
  #state: ServerState;
  #doubtedAt = Number.NEGATIVE_INFINITY;
  #watchedUntil = 0;
  #partition: string | undefined;
  #loginId: string | undefined;

  constructor(spec: ServerSpec, deps: ConnectionDeps) {
    this.spec = spec;
    this.#deps = deps;
    // Every call under way listens, and there may be any number of them.
    setMaxListeners(0, this.#closing.signal);
    this.#state = { id: spec.id, state: 'idle' };
    this.useCredentials();
    this.#restart = new Restart({
      isNeeded: () => !this.#closing.signal.aborted && !this.#link.isOpen && deps.needsNotices(),
      nextTryAt: () => this.nextTryAt,
      start: () => this.list('reconnect'),
    });
    this.#relist = new RelistSchedule(() => this.#listInBackground('list_changed'));
    const shared = this.#line({
      onState: (state, error) => this.#setState(state, error),
      onConnected: (session) => this.#connected(session),
      idleTimeoutMs: spec.idleTimeoutMs ?? deps.limits.idleTimeoutMs,
      onEnded: (end) => this.#ended(end),
    });
    this.#link = shared.link;
    this.#lane = shared.lane;
    if (spec.isolation === 'perCaller') {
      // `CallerLines` ends those that are idle.
      const own = { onState: () => {}, onConnected: () => {}, onEnded: () => {}, idleTimeoutMs: 0 };
      const open = () => this.#line(own);
      this.#callers = new CallerLines(spec.id, open);
    }
  }

  /** What an earlier process found out about a login counts until this one has tried. */
  get state(): ServerState {
    if (this.#state.state === 'idle' && this.awaitsLogin) {
      return { id: this.spec.id, state: 'login_required', error: peopleMessage(loginRequired(this.spec.id, false)) };
    }
    const outage = this.#link.outage;
    if (outage === undefined || this.#state.state === 'connecting') return this.#state;
    // Over HTTP a connection may stand while every call on it fails.
    return { error: outage.reason, ...this.#state, state: 'failed', ...outage };
  }

  /** The login to the server, where it may have one. */
  get auth(): ServerAuth | undefined {
    return this.#deps.auth;
  }

  /** True while nothing is to be had from the server before its user has logged in. */
  get awaitsLogin(): boolean {
    const challenge = this.#deps.auth?.awaited;
    return challenge !== undefined && challenge.isStepUp !== true;
  }

  /** Until when we were told of changes before the connection ended; 0 when we were not. */
  get watchedUntil(): number {
    return this.#watchedUntil;
  }

  /** When the server may be tried again in the background, in milliseconds since the epoch; 0 for now. */
  get nextTryAt(): number {
    return Math.max(this.#backoff.nextAt, this.#link.outage?.retryAt ?? 0);
  }

  /** Has private lists of these credentials read, and of no others. To be called whenever another login may be in use. */
  useCredentials(): void {
    const loginId = this.#deps.auth?.loginId;
    if (this.#partition !== undefined && loginId === this.#loginId) return;
    this.#loginId = loginId;
    const partition = partitionOf(this.spec.transport, loginId);
    this.#partition = partition;
    this.#inCatalog(() => this.#deps.catalog.useCredentials(this.spec.id, partition));
  }

  get isListing(): boolean {
    return this.#listing !== undefined;
  }

  /** True while the server is connected and tells us of changes, so that its list does not age. */
  get isWatched(): boolean {
    return this.#link.isWatched;
  }

  /** What the catalog holds about this server; undefined before it was ever listed. */
  record(): ServerRecord | undefined {
    return this.#deps.catalog.servers().find((server) => server.id === this.spec.id);
  }

  /**
   * Lists the tools into the catalog, connecting first where needed, within `connectTimeoutMs`. Rejects with a
   * `ToolcribError` after the catalog was told; the last good list stays.
   */
  list(trigger: Trigger): Promise<IngestReport> {
    if (this.#closing.signal.aborted) return Promise.reject(closed(this.spec.id, false));
    if (this.#listing !== undefined) {
      if (trigger !== 'list_changed') return this.#listing;
      // The list under way may have been taken before the change. However many wait, one more list serves them all.
      const again = () => {
        this.#nextListing = undefined;
        return this.list(trigger);
      };
      this.#nextListing ??= this.#listing.then(again, again);
      return this.#nextListing;
    }
    this.#relist.listStarted();
    let outcome: 'changed' | 'idle' | 'other' = 'other';
    this.#listing = this.#list(trigger)
      .then((report) => {
        if (hasChanges(report)) outcome = 'changed';
        else if (trigger === 'list_changed') outcome = 'idle';
        return report;
      })
      .finally(() => {
        this.#listing = undefined;
        this.#relist.listEnded(outcome);
      });
    return this.#listing;
  }

  /** Calls a tool, starting the server first where needed. Throws a `ToolcribError` with an upstream code. */
  async call(tool: Tool, args: JsonObject, options: UpstreamCallOptions): Promise<CallOutcome> {
    if (this.#closing.signal.aborted) throw closed(this.spec.id, false);
    if (options.signal?.aborted) throw cancelled(this.spec.id, false);
    const { principal = defaultPrincipal } = options;
    const run = (called: Tool) =>
      this.#callers === undefined
        ? this.#lane.call(called, args, options)
        : this.#callers.use(principal, (lane) => lane.call(called, args, options));
    try {
      return await run(tool).catch(async (error: unknown) => {
        // Refused unread: our list tells other headers than the server expects by now.
        const listed = isHeaderMismatch(error) ? await this.#listedAnew(tool) : undefined;
        if (listed === undefined) throw error;
        return run(listed);
      });
    } catch (error) {
      this.#doubtListAfter(error);
      throw error;
    }
  }

  /** Reads a resource, starting the server first where needed. Throws a `ToolcribError` with an upstream code. */
  async readResource(uri: string, options: ReadOptions): Promise<ReadResourceResult> {
    if (this.#closing.signal.aborted) throw closed(this.spec.id, false);
    if (options.signal?.aborted) throw cancelled(this.spec.id, false);
    const { principal = defaultPrincipal } = options;
    return this.#callers === undefined
      ? this.#lane.read(uri, options)
      : this.#callers.use(principal, (lane) => lane.read(uri, options));
  }

  /** Ends the process or session and whatever is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#relist.stop();
    this.#restart.stop();
    await Promise.all([this.#link.close(), this.#callers?.close()]);
    await this.#listing?.catch(() => {});
    this.#setState('idle');
  }

  #line(events: Pick<LinkDeps, 'onState' | 'onConnected' | 'onEnded' | 'idleTimeoutMs'>): Line {
    const { spec } = this;
    const closing = this.#closing.signal;
    const lane = new CallLane(spec, () => link, {
      parked: this.#deps.parked,
      logger: this.#deps.logger,
      closing,
      ready: (tool, signal) => this.#ready(tool, signal),
    });
    const link: Link = new Link(spec, {
      ...this.#deps,
      ...events,
      closing,
      hideSecrets: this.#secretHider(),
      signOfLifeMs: this.#deps.limits.signOfLifeMs,
      knownEra: () => this.record()?.era,
      onChange: () => this.#relist.notice(),
      onEnded: (wasWatched) => {
        lane.lineEnded();
        events.onEnded(wasWatched);
      },
      onElicitation: (params, signal) => lane.elicit(params, signal),
      onElicitationComplete: (id) => lane.elicitationComplete(id),
    });
    return { link, lane };
  }

  /** The tool as the server lists it now; undefined when it does not, or cannot be listed. */
  async #listedAnew({ toolName }: Tool): Promise<Tool | undefined> {
    await this.list('expired').catch(() => {});
    return this.#deps.catalog.tools({ serverId: this.spec.id }).find((tool) => tool.toolName === toolName);
  }

  async #list(trigger: Trigger): Promise<IngestReport> {
    const deadline = steadyNow() + this.spec.connectTimeoutMs;
    try {
      const use = (session: Session) => this.#listOn(session, trigger, deadline);
      const report = await this.#link.run('list', use, { isForced: trigger === 'sync' });
      this.#listed(report, trigger);
      return report;
    } catch (error) {
      this.#listFailed(error);
      throw error;
    }
  }

  async #listOn(session: Session, trigger: Trigger, deadline: number): Promise<IngestReport> {
    const { id: serverId, fingerprint } = this.spec;
    // The answer is as old as the question.
    const listedAt = Date.now();
    if (session.capabilities.tools === undefined) {
      // A server that declares no tools has none: believed at once, as after a notice.
      return this.#ingest([], { fingerprint, listedAt, trigger: 'list_changed' });
    }
    const options = { serverId, deadline, limits: this.#deps.limits, signal: this.#closing.signal };
    const list = await listTools(session, options);
    // The login may have come with this very list.
    this.useCredentials();
    const unusable = this.#unusable(list, session);
    const description = session.client.getInstructions();
    return this.#ingest(list.rawTools, {
      fingerprint,
      listedAt,
      trigger,
      ...(description === undefined ? {} : { description }),
      ...(list.ttlMs === undefined ? {} : { ttlMs: list.ttlMs }),
      ...(list.isPrivate && this.#partition !== undefined ? { partition: this.#partition } : {}),
      ...(unusable === undefined ? {} : { unusable }),
    });
  }

  /** Over HTTP a tool whose mirrored headers cannot be made cannot be called (MCP 2026-07-28, "Streamable HTTP"). */
  #unusable({ rawTools }: ListedTools, session: Session): ReadonlyMap<number, string> | undefined {
    if (this.spec.transport.kind !== 'http' || session.era.era !== 'modern') return undefined;
    const reasons = new Map<number, string>();
    for (const [position, tool] of rawTools.entries()) {
      const reason = headerProblem(tool);
      if (reason === undefined) continue;
      reasons.set(position, `cannot be called over HTTP: ${reason}`);
      const name = isJsonObject(tool) ? tool.name : undefined;
      this.#deps.logger.warn('A tool is set aside, since it cannot be called over HTTP.', { tool: name, reason });
    }
    return reasons.size === 0 ? undefined : reasons;
  }

  async #ingest(rawTools: readonly unknown[], meta: ListMeta): Promise<IngestReport> {
    try {
      await this.#deps.catalog.prepare(this.spec.id, rawTools);
      return this.#deps.catalog.ingest(this.spec.id, rawTools, meta);
    } catch (error) {
      if (isToolcribError(error)) throw error;
      throw new ToolcribError('internal', `The tools of server "${this.spec.id}" could not be stored.`, {
        details: { server: this.spec.id, reason: `(${messageOf(error)})` },
        cause: error,
      });
    }
  }

  #listed(report: IngestReport, trigger: Trigger): void {
    this.#backoff.succeeded();
    if (this.#link.isOpen) this.#setState('ready');
    if (hasChanges(report)) this.#deps.onToolsChanged(report);
    if (report.accepted || trigger === 'list_changed') return;
    setTimeout(() => this.#listInBackground('reconnect'), emptyListAgainMs).unref();
  }

  #listFailed(error: unknown): void {
    if (this.#closing.signal.aborted || isRefusal(error)) return;
    // A server that waits for a login is asked again as soon as there is one.
    if (!isToolcribError(error, 'login_required')) this.#backoff.failed();
    const message = peopleMessage(error);
    this.#deps.logger.warn('The server could not be listed.', { error: message });
    this.#setState(stateAfter(error), message);
    this.#inCatalog(() => this.#deps.catalog.markFailed(this.spec.id, this.spec.fingerprint, message));
  }

  /** What was announced and not listed yet is lost with the connection. */
  #ended({ wasWatched, livedMs }: LinkEnd): void {
    this.#watchedUntil = wasWatched && !this.#relist.isPending ? Date.now() : 0;
    this.#relist.stop();
    if (livedMs !== undefined) this.#restart.lost(livedMs);
  }

  #connected(session: Session): void {
    this.#keepVerdict(session);
    // What changed while nobody was connected came without a notice. On the next turn, when the link stands.
    const trigger = this.record()?.listedAt === undefined ? 'first' : 'reconnect';
    const list = this.#listing ?? new Promise((resolve) => setImmediate(resolve)).then(() => this.list(trigger));
    const ended = () => {
      if (this.#firstList === firstList) this.#firstList = undefined;
    };
    const firstList = list.then(ended, ended);
    this.#firstList = firstList;
  }

  /** Throws `definition_changed` where the list of a new connection holds another definition than the one that is called. */
  async #ready({ toolName, exposedName }: Tool, signal: AbortSignal): Promise<void> {
    if (this.#firstList === undefined) return;
    const { id: serverId } = this.spec;
    const waited = Promise.race([this.#firstList, delay(firstListMaxMs, undefined, { ref: false })]);
    await abortable(waited, signal, () => cancelled(serverId, false));
    if (this.#deps.catalog.tool({ serverId, toolName })?.status !== 'changed') return;
    throw new ToolcribError(
      'definition_changed',
      `${exposedName} was not called: its server changed the definition after it was accepted.`,
      { details: { server: serverId, mayHaveRun: false } },
    );
  }

  #keepVerdict({ era }: Session): void {
    const known = this.record()?.era;
    const isKept =
      known?.era === era.era &&
      known.protocolVersion === era.protocolVersion &&
      known.transport === era.transport &&
      era.decidedAt - known.decidedAt < verdictRewriteMs;
    if (!isKept) this.#inCatalog(() => this.#deps.catalog.recordEra(this.spec.id, this.spec.fingerprint, era));
  }

  /** JSON-RPC "Invalid params", "Method not found" and "Header mismatch" say that our list may be out of date. */
  #doubtListAfter(error: unknown): void {
    const code = isToolcribError(error, 'upstream_error') ? error.details.rpcCode : undefined;
    const namesTool = /unknown|not found|no such/i.test(messageOf(error));
    const isDoubt = code === -32602 ? namesTool : code === -32601 || code === headerMismatch;
    if (!isDoubt || steadyNow() - this.#doubtedAt < doubtMinIntervalMs) return;
    this.#doubtedAt = steadyNow();
    this.#listInBackground('expired');
  }

  #listInBackground(trigger: Trigger): void {
    void this.list(trigger).catch(() => {});
  }

  #secretHider(): (text: string) => string {
    const hide = secretHider(this.spec, this.#deps.secrets);
    const { auth } = this.#deps;
    return auth === undefined ? hide : (text) => auth.hideTokens(hide(text));
  }

  #setState(state: ServerState['state'], error?: string): void {
    if (this.#state.state === state && this.#state.error === error) return;
    this.#state = { id: this.spec.id, state, ...(error === undefined ? {} : { error }) };
    this.#deps.onState(this.state);
  }

  /** A catalog that cannot be written is not worth losing a connection over. */
  #inCatalog(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#deps.logger.error('The catalog could not be written.', { error: messageOf(error) });
    }
  }
}

/** MCP 2026-07-28 "Streamable HTTP": the headers of a request do not say what its body says. */
const headerMismatch = -32020;

function isHeaderMismatch(error: unknown): boolean {
  return isToolcribError(error, 'upstream_error') && error.details.rpcCode === headerMismatch;
}

/** The server was not tried, so that nothing new is known of it. */
function isRefusal(error: unknown): boolean {
  return isToolcribError(error) && error.details.retryAt !== undefined;
}

function hasChanges({ added, changed, removed }: IngestReport): boolean {
  return added.length + changed.length + removed.length > 0;
}
