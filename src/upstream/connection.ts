import { setMaxListeners } from 'node:events';
import { isToolcribError } from '../errors/index.ts';
import {
  type CallOutcome,
  type IngestReport,
  type JsonObject,
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
import type { CallLane } from './call-lane.ts';
import { cancelled, closed } from './call-tool.ts';
import { peopleMessage } from './faults.ts';
import { FirstList } from './first-list.ts';
import type { UpstreamLimits } from './limits.ts';
import { type LinkEnd, stateAfter } from './link.ts';
import { isHeaderMismatch, ListDoubt } from './list-doubt.ts';
import { listIntoCatalog } from './list-into-catalog.ts';
import { hasChanges, type ListTrigger, ListTurns } from './list-turns.ts';
import type { ParkedCalls } from './parked-calls.ts';
import type { ReadOptions } from './read-resource.ts';
import { Restart } from './restart.ts';
import { ServerCatalog, type ServerCatalogDeps } from './server-catalog.ts';
import { ServerLines } from './server-lines.ts';
import type { Session, SessionDeps } from './session.ts';
import { secretHider } from './text.ts';

/** An empty list that was not believed is asked for once more after this time: the server may still be waking up. */
const emptyListAgainMs = 2_000;

export interface ConnectionDeps extends Omit<SessionDeps, 'onElicitation' | 'onElicitationComplete'> {
  parked: ParkedCalls<CallLane>;
  catalog: ServerCatalogDeps['catalog'];
  limits: UpstreamLimits;
  secrets: readonly string[];
  /** True while hosts have to be told when this server's tools change. */
  needsNotices(): boolean;
  onState(state: ServerState): void;
  onToolsChanged(report: IngestReport): void;
}

/** One server: its lists go into the catalog, one at a time, and its tools can be called. */
export class Connection {
  readonly spec: ServerSpec;
  readonly #backoff = new Backoff();
  readonly #deps: ConnectionDeps;
  readonly #catalog: ServerCatalog;
  readonly #lines: ServerLines;
  readonly #lists: ListTurns;
  readonly #firstList: FirstList;
  readonly #listDoubt = new ListDoubt();
  readonly #restart: Restart;
  readonly #closing = new AbortController();
  #state: ServerState;
  #watchedUntil = 0;

  constructor(spec: ServerSpec, deps: ConnectionDeps) {
    this.spec = spec;
    this.#deps = deps;
    const closing = this.#closing.signal;
    // Every call under way listens, and there may be any number of them.
    setMaxListeners(0, closing);
    this.#state = { id: spec.id, state: 'idle' };
    this.#catalog = new ServerCatalog(spec, deps);
    this.#firstList = new FirstList(spec.id, this.#catalog);
    this.#lists = new ListTurns({ serverId: spec.id, closing, fetchList: (trigger) => this.#list(trigger) });
    this.#restart = new Restart({
      isNeeded: () => !closing.aborted && !this.#lines.shared.isOpen && deps.needsNotices(),
      nextTryAt: () => this.nextTryAt,
      start: () => this.list('reconnect'),
    });
    this.#lines = new ServerLines(spec, {
      ...deps,
      closing,
      hideSecrets: hiderOf(spec, deps),
      signOfLifeMs: deps.limits.signOfLifeMs,
      idleTimeoutMs: spec.idleTimeoutMs ?? deps.limits.idleTimeoutMs,
      knownEra: () => this.record()?.era,
      ready: (tool, signal) => this.#firstList.confirm(tool, signal),
      onState: (state, error) => this.#setState(state, error),
      onConnected: (session) => this.#connected(session),
      onChange: () => this.#lists.notice(),
      onEnded: (end) => this.#ended(end),
    });
  }

  /** What an earlier process found out about a login counts until this one has tried. */
  get state(): ServerState {
    if (this.#state.state === 'idle' && this.awaitsLogin) {
      return { id: this.spec.id, state: 'login_required', error: peopleMessage(loginRequired(this.spec.id, false)) };
    }
    const { outage } = this.#lines.shared;
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
    return Math.max(this.#backoff.nextAt, this.#lines.shared.outage?.retryAt ?? 0);
  }

  get isListing(): boolean {
    return this.#lists.current !== undefined;
  }

  /** True while the server is connected and tells us of changes, so that its list does not age. */
  get isWatched(): boolean {
    return this.#lines.shared.isWatched;
  }

  /** What the catalog holds about this server; undefined before it was ever listed. */
  record(): ServerRecord | undefined {
    return this.#catalog.record();
  }

  /** Has private lists of these credentials read, and of no others. To be called whenever another login may be in use. */
  useCredentials(): void {
    this.#catalog.useCredentials();
  }

  /**
   * Lists the tools into the catalog, connecting first where needed, within `connectTimeoutMs`. Rejects with a
   * `ToolcribError` after the catalog was told; the last good list stays.
   */
  list(trigger: ListTrigger): Promise<IngestReport> {
    return this.#lists.take(trigger);
  }

  /** Calls a tool, starting the server first where needed. Throws a `ToolcribError` with an upstream code. */
  async call(tool: Tool, args: JsonObject, options: UpstreamCallOptions): Promise<CallOutcome> {
    this.#throwIfEnded(options);
    const run = (called: Tool) => this.#lines.use(options.principal, (lane) => lane.call(called, args, options));
    try {
      return await run(tool).catch(async (error: unknown) => {
        const listed = isHeaderMismatch(error) ? await this.#listedAnew(tool) : undefined;
        if (listed === undefined) throw error;
        return run(listed);
      });
    } catch (error) {
      if (this.#listDoubt.isRaisedBy(error)) this.#lists.takeInBackground('expired');
      throw error;
    }
  }

  /** Reads a resource, starting the server first where needed. Throws a `ToolcribError` with an upstream code. */
  async readResource(uri: string, options: ReadOptions): Promise<ReadResourceResult> {
    this.#throwIfEnded(options);
    return this.#lines.use(options.principal, (lane) => lane.read(uri, options));
  }

  /** Ends the process or session and whatever is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#lists.dropNotices();
    this.#restart.stop();
    await this.#lines.close();
    await this.#lists.current?.catch(() => {});
    this.#setState('idle');
  }

  #throwIfEnded({ signal }: Pick<ReadOptions, 'signal'>): void {
    if (this.#closing.signal.aborted) throw closed(this.spec.id, false);
    if (signal?.aborted) throw cancelled(this.spec.id, false);
  }

  /** The tool as the server lists it now; undefined when it does not, or cannot be listed. */
  async #listedAnew({ toolName }: Tool): Promise<Tool | undefined> {
    await this.list('expired').catch(() => {});
    return this.#catalog.listedTool(toolName);
  }

  async #list(trigger: ListTrigger): Promise<IngestReport> {
    const { spec } = this;
    const { limits, logger } = this.#deps;
    const deadline = steadyNow() + spec.connectTimeoutMs;
    const options = { spec, catalog: this.#catalog, limits, logger, trigger, deadline, signal: this.#closing.signal };
    const use = (session: Session) => listIntoCatalog(session, options);
    try {
      const report = await this.#lines.shared.run('list', use, { isForced: trigger === 'sync' });
      this.#listed(report, trigger);
      return report;
    } catch (error) {
      this.#listFailed(error);
      throw error;
    }
  }

  #listed(report: IngestReport, trigger: ListTrigger): void {
    this.#backoff.succeeded();
    if (this.#lines.shared.isOpen) this.#setState('ready');
    if (hasChanges(report)) this.#deps.onToolsChanged(report);
    if (report.accepted || trigger === 'list_changed') return;
    setTimeout(() => this.#lists.takeInBackground('reconnect'), emptyListAgainMs).unref();
  }

  #listFailed(error: unknown): void {
    if (this.#closing.signal.aborted || isRefusal(error)) return;
    // A server that waits for a login is asked again as soon as there is one.
    if (!isToolcribError(error, 'login_required')) this.#backoff.failed();
    const message = peopleMessage(error);
    this.#deps.logger.warn('The server could not be listed.', { error: message });
    this.#setState(stateAfter(error), message);
    this.#catalog.markFailed(message);
  }

  #connected({ era }: Session): void {
    this.#catalog.recordEra(era);
    const trigger = this.record()?.listedAt === undefined ? 'first' : 'reconnect';
    // On the next turn, when the link stands.
    const list = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return this.list(trigger);
    };
    this.#firstList.began(this.#lists.current ?? list());
  }

  /** What was announced and not listed yet is lost with the connection. */
  #ended({ wasWatched, livedMs }: LinkEnd): void {
    this.#watchedUntil = wasWatched && !this.#lists.hasNotice ? Date.now() : 0;
    this.#lists.dropNotices();
    if (livedMs !== undefined) this.#restart.lost(livedMs);
  }

  #setState(state: ServerState['state'], error?: string): void {
    if (this.#state.state === state && this.#state.error === error) return;
    this.#state = { id: this.spec.id, state, ...(error === undefined ? {} : { error }) };
    this.#deps.onState(this.state);
  }
}

function hiderOf(spec: ServerSpec, { auth, secrets }: ConnectionDeps): (text: string) => string {
  const hide = secretHider(spec, secrets);
  return auth === undefined ? hide : (text) => auth.hideTokens(hide(text));
}

/** The server was not tried, so that nothing new is known of it. */
function isRefusal(error: unknown): boolean {
  return isToolcribError(error) && error.details.retryAt !== undefined;
}
