import { isToolcribError, messageOf, ToolcribError } from '../errors/index.ts';
import {
  type CallToolResult,
  type CatalogReader,
  type CatalogWriter,
  type IngestReport,
  isJsonObject,
  type ListMeta,
  type ServerRecord,
  type ServerSpec,
  type ServerState,
} from '../model/index.ts';
import { Backoff } from './backoff.ts';
import { callTool, cancelled, closed, type ToolCall } from './call-tool.ts';
import { type FaultContext, NotExecutedError, peopleMessage, toFault, wasNotExecuted } from './faults.ts';
import type { UpstreamLimits } from './limits.ts';
import { type ListedTools, listTools } from './list-tools.ts';
import { headerProblem } from './mirrored-headers.ts';
import { RelistSchedule } from './relist-schedule.ts';
import { openSession, type Session, type SessionDeps } from './session.ts';
import { secretHider } from './text.ts';
import { type ToolChangeWatch, watchToolChanges } from './tool-changes.ts';

/** An empty list that was not believed is asked for once more after this time: the server may still be waking up. */
const emptyListAgainMs = 2_000;
/** Pause between two lists that calls to unknown tools led to. */
const doubtMinIntervalMs = 10_000;
/** A verdict that did not change is written again after a day, so that its date stays of use. */
const verdictRewriteMs = 24 * 3_600_000;

type Trigger = ListMeta['trigger'];

export interface ConnectionDeps extends SessionDeps {
  catalog: Pick<CatalogReader, 'servers'> & CatalogWriter;
  limits: UpstreamLimits;
  secrets: readonly string[];
  onState(state: ServerState): void;
  onToolsChanged(report: IngestReport): void;
}

/**
 * One server: at most one process or HTTP session at a time, started when first needed and again when needed after it
 * ended. Connects and lists that are asked for at the same time are one.
 */
export class Connection {
  readonly spec: ServerSpec;
  readonly backoff = new Backoff();
  readonly #deps: ConnectionDeps;
  readonly #relist: RelistSchedule;
  readonly #closing = new AbortController();
  readonly #hideSecrets: (text: string) => string;
  #session: Session | undefined;
  #connecting: Promise<Session> | undefined;
  #listing: Promise<IngestReport> | undefined;
  #watch: ToolChangeWatch | undefined;
  #state: ServerState;
  #doubtedAt = Number.NEGATIVE_INFINITY;

  constructor(spec: ServerSpec, deps: ConnectionDeps) {
    this.spec = spec;
    this.#deps = deps;
    this.#hideSecrets = secretHider(spec, deps.secrets);
    this.#state = { id: spec.id, state: 'idle' };
    this.#relist = new RelistSchedule(() => void this.list('list_changed').catch(() => {}));
  }

  get state(): ServerState {
    return this.#state;
  }

  get isListing(): boolean {
    return this.#listing !== undefined;
  }

  /** True while the server is connected and tells us of changes, so that its list does not age. */
  get isWatched(): boolean {
    return this.#watch?.isActive() ?? false;
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
      // A list under way may have been taken before the change.
      if (trigger === 'list_changed') {
        const again = () => this.list(trigger);
        return this.#listing.then(again, again);
      }
      return this.#listing;
    }
    this.#relist.listStarted();
    let outcome: 'changed' | 'idle' | 'other' = 'other';
    const listing = this.#list(trigger)
      .then((report) => {
        if (report.added.length + report.changed.length + report.removed.length > 0) outcome = 'changed';
        else if (trigger === 'list_changed') outcome = 'idle';
        return report;
      })
      .finally(() => {
        this.#listing = undefined;
        this.#relist.listEnded(outcome);
      });
    this.#listing = listing;
    return listing;
  }

  /** Calls a tool, starting the server first where needed. Throws a `ToolcribError` with an upstream code. */
  async call(call: Omit<ToolCall, 'closing'>): Promise<CallToolResult> {
    const { signal } = call.options;
    const closing = this.#closing.signal;
    if (closing.aborted) throw closed(this.spec.id, false);
    if (signal?.aborted) throw cancelled(this.spec.id, false);
    const whole = { ...call, closing };
    const result = await this.#withSession(
      'call',
      (session) => callTool(session, whole, this.spec),
      () => abortable(this.#connect(), signal, () => cancelled(this.spec.id, false)),
    ).catch((error) => {
      this.#doubtListAfter(error);
      throw error;
    });
    return result;
  }

  /** Ends the process or session and whatever is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#relist.stop();
    const session = this.#session ?? (await this.#connecting?.catch(() => undefined));
    await session?.close();
    await this.#listing?.catch(() => {});
    this.#setState('idle');
  }

  async #list(trigger: Trigger): Promise<IngestReport> {
    const deadline = Date.now() + this.spec.connectTimeoutMs;
    const { limits } = this.#deps;
    try {
      const report = await this.#withSession('list', async (session) => {
        // The answer is as old as the question.
        const listedAt = Date.now();
        const hasTools = session.capabilities.tools !== undefined;
        const list = hasTools
          ? await listTools(session, { serverId: this.spec.id, deadline, limits, signal: this.#closing.signal })
          : { rawTools: [] };
        return this.#ingest(this.#withoutUnsendable(list, session), {
          fingerprint: this.spec.fingerprint,
          listedAt,
          // A server that declares no tools has none: believed at once.
          trigger: hasTools ? trigger : 'list_changed',
          ...(list.ttlMs === undefined ? {} : { ttlMs: list.ttlMs }),
        });
      });
      this.#listed(report, trigger);
      return report;
    } catch (error) {
      this.#listFailed(error);
      throw error;
    }
  }

  /** Over HTTP a tool whose mirrored headers cannot be made cannot be called (MCP 2026-07-28, "Streamable HTTP"). */
  #withoutUnsendable(list: ListedTools, session: Session): ListedTools {
    if (this.spec.transport.kind !== 'http' || session.era.era !== 'modern') return list;
    const rawTools = list.rawTools.filter((tool) => {
      const reason = headerProblem(tool);
      if (reason === undefined) return true;
      const name = isJsonObject(tool) ? tool.name : undefined;
      this.#deps.logger.warn('A tool is left out, since it cannot be called over HTTP.', { tool: name, reason });
      return false;
    });
    return { ...list, rawTools };
  }

  #ingest({ rawTools }: ListedTools, meta: ListMeta): IngestReport {
    try {
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
    this.backoff.succeeded();
    if (this.#session !== undefined) this.#setState('ready');
    if (report.added.length + report.changed.length + report.removed.length > 0) this.#deps.onToolsChanged(report);
    if (!report.accepted && trigger !== 'list_changed') {
      // `list` refuses once we are closed.
      setTimeout(() => void this.list('reconnect').catch(() => {}), emptyListAgainMs).unref();
    }
  }

  #listFailed(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.backoff.failed();
    const message = peopleMessage(error);
    this.#deps.logger.warn('A server could not be listed.', { server: this.spec.id, error: message });
    this.#setState('failed', message);
    this.#inCatalog(() => this.#deps.catalog.markFailed(this.spec.id, this.spec.fingerprint, message));
  }

  /** Runs `use`; once more on a new session when the server certainly did not read the request. */
  async #withSession<T>(
    phase: FaultContext['phase'],
    use: (session: Session) => Promise<T>,
    connect: () => Promise<Session> = () => this.#connect(),
  ): Promise<T> {
    for (let retried = false; ; retried = true) {
      const session = await connect();
      try {
        if (session.hasEnded()) throw new NotExecutedError('it ended again');
        return await use(session);
      } catch (error) {
        if (!retried && !this.#closing.signal.aborted && wasNotExecuted(error, session.hasSessionId())) {
          this.#drop(session);
          continue;
        }
        if (this.#closing.signal.aborted && !isToolcribError(error)) throw closed(this.spec.id, phase === 'call');
        throw this.#fault(error, phase, session);
      }
    }
  }

  #connect(): Promise<Session> {
    if (this.#closing.signal.aborted) return Promise.reject(closed(this.spec.id, false));
    if (this.#session !== undefined && !this.#session.hasEnded()) return Promise.resolve(this.#session);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<Session> {
    this.#setState('connecting');
    let session: Session;
    try {
      session = await openSession(this.spec, this.record()?.era, this.#deps, this.#closing.signal);
    } catch (error) {
      if (this.#closing.signal.aborted) throw closed(this.spec.id, false);
      const failure = this.#fault(error, 'connect');
      this.#setState('failed', peopleMessage(failure));
      throw failure;
    }
    this.#session = session;
    session.onEnd(() => this.#ended(session));
    this.#keepVerdict(session);
    const onChange = () => {
      if (this.#session === session) this.#relist.notice();
    };
    const watch = await watchToolChanges(session, onChange, this.#deps.logger);
    if (this.#session === session) {
      this.#watch = watch;
      this.#setState('ready');
    }
    // What changed while nobody was connected came without a notice.
    if (this.#listing === undefined) setImmediate(() => void this.#listAfterReconnect());
    return session;
  }

  async #listAfterReconnect(): Promise<void> {
    if (this.#closing.signal.aborted || this.#listing !== undefined) return;
    await this.list(this.record()?.listedAt === undefined ? 'first' : 'reconnect').catch(() => {});
  }

  #ended(session: Session): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#watch = undefined;
    this.#relist.stop();
    if (this.#closing.signal.aborted) return;
    const report = session.exitReport();
    this.#deps.logger.info('A server ended.', { server: this.spec.id, ...(report === undefined ? {} : { report }) });
    if (session.exitedCleanly()) this.#setState('idle');
    else this.#setState('failed', this.#hideSecrets(`Server "${this.spec.id}" ended: ${report ?? 'connection lost'}.`));
  }

  #drop(session: Session): void {
    if (this.#session === session) {
      this.#session = undefined;
      this.#watch = undefined;
    }
    void session.close().catch(() => {});
  }

  #keepVerdict(session: Session): void {
    const known = this.record()?.era;
    const isKept =
      known?.era === session.era.era &&
      known.protocolVersion === session.era.protocolVersion &&
      session.era.decidedAt - known.decidedAt < verdictRewriteMs;
    if (isKept) return;
    this.#inCatalog(() => this.#deps.catalog.recordEra(this.spec.id, this.spec.fingerprint, session.era));
  }

  /** JSON-RPC "Invalid params", "Method not found" and "Header mismatch" say that our list may be out of date. */
  #doubtListAfter(error: unknown): void {
    const code = isToolcribError(error, 'upstream_error') ? error.details.rpcCode : undefined;
    const isDoubt =
      code === -32602 ? /unknown|not found|no such/i.test(messageOf(error)) : code === -32601 || code === -32020;
    if (!isDoubt || Date.now() - this.#doubtedAt < doubtMinIntervalMs) return;
    this.#doubtedAt = Date.now();
    void this.list('expired').catch(() => {});
  }

  #fault(error: unknown, phase: FaultContext['phase'], session?: Session): ToolcribError {
    return toFault(error, {
      serverId: this.spec.id,
      isLocal: this.spec.transport.kind === 'stdio',
      phase,
      exitReport: session?.exitReport(),
      hideSecrets: this.#hideSecrets,
    });
  }

  #setState(state: ServerState['state'], error?: string): void {
    if (this.#state.state === state && this.#state.error === error) return;
    this.#state = { id: this.spec.id, state, ...(error === undefined ? {} : { error }) };
    this.#deps.onState(this.#state);
  }

  /** The catalog is not worth losing a connection over. */
  #inCatalog(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#deps.logger.error('The catalog could not be written.', { server: this.spec.id, error: messageOf(error) });
    }
  }
}

/** Settles as `promise` does, or rejects as soon as `signal` aborts. */
async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined, error: () => Error): Promise<T> {
  if (signal === undefined) return promise;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(error());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
