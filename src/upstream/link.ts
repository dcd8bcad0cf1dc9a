import { isToolcribError, type ToolcribError } from '../errors/index.ts';
import { abortable, type EraVerdict, type ServerSpec, type ServerState, steadyNow } from '../model/index.ts';
import { cancelled, closed } from './call-tool.ts';
import { Circuit, type Outage } from './circuit.ts';
import { EraDoubt } from './era-doubt.ts';
import {
  type FaultContext,
  fault,
  NotExecutedError,
  peopleMessage,
  toFault,
  wasBrokenOff,
  wasNotExecuted,
} from './faults.ts';
import { IdleStop } from './idle-stop.ts';
import { pause } from './pause.ts';
import { isProtocolError, isSdkError, isSdkHttpError, sdk } from './sdk.ts';
import { openSession, type Session, type SessionDeps } from './session.ts';
import { showsLife } from './sign-of-life.ts';
import { streamEnded } from './tap-transport.ts';
import { announcesChanges, type ToolChangeWatch, watchToolChanges } from './tool-changes.ts';

export interface LinkDeps extends SessionDeps {
  /** Aborted when toolcrib closes. */
  closing: AbortSignal;
  hideSecrets: (text: string) => string;
  /** The verdict of an earlier connection. */
  knownEra(): EraVerdict | undefined;
  /** Milliseconds without a call after which the connection is ended; 0 for never. */
  idleTimeoutMs: number;
  /** Of `UpstreamLimits`. */
  signOfLifeMs: number;
  /** True while a host has to be told when this server's tools change. */
  needsNotices(): boolean;
  onState(state: ServerState['state'], error?: string): void;
  onConnected(session: Session): void;
  /** The server says that its tools changed. */
  onChange(): void;
  onEnded(end: LinkEnd): void;
}

export interface LinkEnd {
  /** The server told us of changes until now. */
  wasWatched: boolean;
  /** For how long the connection stood, where it broke by itself and with it the notices of change that the server sends. */
  livedMs?: number;
}

export interface RunOptions {
  /** Gives the wait for a connection up. */
  signal?: AbortSignal | undefined;
  /** Tries also a server that is left alone after failures: someone asked for it by name. */
  isForced?: boolean;
}

/**
 * The line to one server: at most one process or HTTP session at a time, opened when first needed and again when
 * needed after it ended, by itself or for being idle. Those who need it at the same time share one opening.
 */
export class Link {
  readonly #spec: ServerSpec;
  readonly #deps: LinkDeps;
  #session: Session | undefined;
  #connecting: Promise<Session> | undefined;
  #watch: ToolChangeWatch | undefined;
  readonly #era = new EraDoubt();
  readonly #circuit: Circuit;
  readonly #idle: IdleStop;
  /** Sessions that were given up and are still ending. */
  readonly #leaving = new Set<Promise<void>>();
  /** Under way while it is not known whether the server still lives. */
  #lookingForLife: Promise<void> | undefined;
  #openedAt = 0;
  #running = 0;

  constructor(spec: ServerSpec, deps: LinkDeps) {
    this.#spec = spec;
    this.#deps = deps;
    this.#circuit = new Circuit(spec.id);
    this.#idle = new IdleStop({
      timeoutMs: deps.idleTimeoutMs,
      isNeeded: () => this.#running > 0 || (this.isWatched && deps.needsNotices()),
      stop: () => this.#stopIdle(),
    });
  }

  /** Defined while the server is left alone after failures. */
  get outage(): Outage | undefined {
    return this.#circuit.outage();
  }

  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /** True while the server tells us of changes. */
  get isWatched(): boolean {
    return this.#watch?.isActive() ?? false;
  }

  /** False for a session that has ended or was given up. */
  isCurrent(session: Session): boolean {
    return this.#session === session && !session.hasEnded();
  }

  /**
   * Runs `use` on the session; once more on a new one when the server certainly did not read the request. Throws a
   * `ToolcribError`; `cancelled` when `signal` aborts before there is a session, `upstream_unavailable` while the server
   * is left alone.
   */
  async run<T>(phase: 'list' | 'call', use: (session: Session) => Promise<T>, options: RunOptions = {}): Promise<T> {
    this.#running += 1;
    try {
      return await this.#run(phase, use, options);
    } finally {
      this.#running -= 1;
      if (phase === 'call') this.#idle.used();
    }
  }

  async #run<T>(phase: 'list' | 'call', use: (session: Session) => Promise<T>, options: RunOptions): Promise<T> {
    const { closing } = this.#deps;
    for (let isRetry = false; ; isRetry = true) {
      const connecting = this.#connect(options.isForced === true);
      const session = await abortable(connecting, options.signal, () => cancelled(this.#spec.id, false));
      const startedAt = performance.now();
      try {
        if (session.hasEnded()) throw new NotExecutedError('it ended again');
        const result = await use(session);
        this.#answered(phase);
        return result;
      } catch (error) {
        if (isAnswer(error)) this.#answered(phase);
        if (session.hasEnded()) this.#ended(session);
        else if (wasLeftWithoutAnswer(error, performance.now() - startedAt)) this.#lookForLife(session);
        if (closing.aborted && !isToolcribError(error)) throw closed(this.#spec.id, phase === 'call');
        // A list may be asked for twice, so the other era is tried at once; a call may have run.
        const isOtherEraDue = phase === 'list' && this.#era.isModernDoubted;
        const isBroken = phase === 'list' && wasBrokenOff(error, this.#spec);
        const mayRetry = isOtherEraDue || isBroken || wasNotExecuted(error, session.hasSessionId());
        if (isRetry || closing.aborted || !mayRetry) {
          // What is told of the server later has nothing to do with this call.
          if (saysUnavailable(error)) this.#circuit.startFailed(this.#fault(error, 'list', session));
          throw this.#fault(error, phase, session);
        }
        if (this.#spec.transport.kind === 'stdio') await this.#seeOut(session);
        else this.#drop(session);
      }
    }
  }

  async close(): Promise<void> {
    this.#idle.clear();
    const session = this.#session ?? (await this.#connecting?.catch(() => undefined));
    await Promise.all([session?.close(), ...this.#leaving]);
  }

  #connect(isForced: boolean): Promise<Session> {
    if (this.#deps.closing.aborted) return Promise.reject(closed(this.#spec.id, false));
    if (this.#session?.hasEnded()) this.#ended(this.#session);
    if (this.#lookingForLife !== undefined) return this.#lookingForLife.then(() => this.#connect(isForced));
    const outage = this.#circuit.outage();
    if (this.#connecting === undefined && outage !== undefined && !isForced) {
      return Promise.reject(this.#circuit.refusal(outage));
    }
    if (this.#session !== undefined) return Promise.resolve(this.#session);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<Session> {
    const { closing, logger, onState, onConnected, onChange } = this.#deps;
    onState('connecting');
    let session: Session;
    try {
      // Two processes of one server may be in each other's way.
      if (this.#spec.transport.kind === 'stdio') await Promise.all(this.#leaving);
      await pause(this.#circuit.pauseMs(), closing);
      session = await openSession(this.#spec, this.#era.verdict(this.#deps.knownEra()), this.#deps, closing);
    } catch (error) {
      if (closing.aborted) throw closed(this.#spec.id, false);
      const failure = this.#fault(error, 'connect');
      if (failure.code !== 'login_required') this.#era.openingFailed();
      this.#circuit.startFailed(failure);
      onState(stateAfter(failure), peopleMessage(failure));
      throw failure;
    }
    this.#era.opened();
    this.#openedAt = steadyNow();
    this.#session = session;
    session.onEnd(() => this.#ended(session));
    const onNotice = () => {
      if (this.#session === session) onChange();
    };
    const watch = await watchToolChanges(session, onNotice, logger);
    if (this.#session === session) {
      this.#watch = watch;
      this.#idle.used();
      onState('ready');
    }
    onConnected(session);
    return session;
  }

  #answered(phase: 'list' | 'call'): void {
    this.#era.answered();
    this.#circuit.succeeded(phase);
  }

  /** Counts the end of a session once, whoever notices it first. */
  #ended(session: Session): void {
    if (this.#session !== session) return;
    const livedMs = steadyNow() - this.#openedAt;
    this.#forget(announcesChanges(session) ? { livedMs } : {});
    if (this.#deps.closing.aborted) return;
    const report = session.exitReport();
    this.#deps.logger.info('The server ended.', report === undefined ? {} : { report });
    const isExpected = session.exitedCleanly() && this.#running === 0;
    if (!isExpected) this.#crashed(session, report, livedMs);
    if (session.exitedCleanly()) this.#deps.onState('idle');
    else {
      const why = `Server "${this.#spec.id}" ended: ${report ?? 'connection lost'}.`;
      this.#deps.onState('failed', this.#deps.hideSecrets(why));
    }
  }

  #crashed(session: Session, report: string | undefined, livedMs: number): void {
    this.#era.broke(session.era);
    const what = `Server "${this.#spec.id}" ended by itself.`;
    const crash = fault('upstream_lost', what, {
      serverId: this.#spec.id,
      mayHaveRun: true,
      ...(report === undefined ? {} : { reason: this.#deps.hideSecrets(`(${report})`) }),
    });
    this.#circuit.crashed(crash, livedMs);
  }

  /**
   * A process that was stopped or is stuck keeps its pipes open, and each later call would wait for its whole time. Those wait
   * for this look instead, and go to another process where there is no sign of life.
   */
  #lookForLife(session: Session): void {
    if (this.#spec.transport.kind !== 'stdio' || this.#session !== session) return;
    this.#lookingForLife ??= showsLife(session, this.#deps.signOfLifeMs)
      .then((isAlive) => {
        if (!isAlive && this.#session === session && !this.#deps.closing.aborted) this.#replace(session);
      })
      .finally(() => {
        this.#lookingForLife = undefined;
      });
  }

  #replace(session: Session): void {
    const livedMs = steadyNow() - this.#openedAt;
    const what = `Server "${this.#spec.id}" hung: it gave no sign of life after a request had run out of time.`;
    this.#deps.logger.warn('The server hangs and is ended; the next use starts it again.');
    this.#drop(session, announcesChanges(session) ? { livedMs } : {});
    this.#circuit.crashed(fault('upstream_lost', what, { serverId: this.#spec.id, mayHaveRun: true }), livedMs);
    this.#deps.onState('failed', what);
  }

  /** Ends a connection that nobody needs; the next use opens another. */
  #stopIdle(): void {
    const session = this.#session;
    if (session === undefined) return;
    this.#deps.logger.info('The server is stopped: it was idle.', { idleTimeoutMs: this.#deps.idleTimeoutMs });
    this.#drop(session);
    this.#deps.onState('idle');
  }

  /** A process that reads no more is ending; how it ended counts and is told. */
  async #seeOut(session: Session): Promise<void> {
    await session.close().catch(() => {});
    this.#ended(session);
  }

  #drop(session: Session, end: Pick<LinkEnd, 'livedMs'> = {}): void {
    if (this.#session === session) this.#forget(end);
    const leaving = session.close().catch(() => {});
    this.#leaving.add(leaving);
    void leaving.finally(() => this.#leaving.delete(leaving));
  }

  #forget(end: Pick<LinkEnd, 'livedMs'> = {}): void {
    this.#idle.clear();
    const wasWatched = this.isWatched;
    this.#session = undefined;
    this.#watch = undefined;
    this.#deps.onEnded({ wasWatched, ...end });
  }

  #fault(error: unknown, phase: FaultContext['phase'], session?: Session): ToolcribError {
    return toFault(error, {
      serverId: this.#spec.id,
      isLocal: this.#spec.transport.kind === 'stdio',
      phase,
      exitReport: session?.exitReport(),
      loginProblem: this.#deps.auth?.problem,
      hideSecrets: this.#deps.hideSecrets,
    });
  }
}

/** The state that a failure leaves a server in. */
export function stateAfter(failure: unknown): ServerState['state'] {
  return isToolcribError(failure, 'login_required') ? 'login_required' : 'failed';
}

/** True for an error that the server itself answered with: it is there. */
function isAnswer(error: unknown): boolean {
  if (isProtocolError(error)) return error.data !== streamEnded;
  return isToolcribError(error, 'upstream_error');
}

/** Hosts have limits of their own, often a minute: a call that is withdrawn after this time had probably run out of it. */
const hostPatienceMs = 30_000;

/** True for a request that ran out of time, ours or probably that of the host. */
function wasLeftWithoutAnswer(error: unknown, waitedMs: number): boolean {
  if (isToolcribError(error, 'cancelled')) return waitedMs >= hostPatienceMs;
  if (isToolcribError(error)) return error.code === 'upstream_timeout_unknown_outcome';
  return isSdkError(error) && error.code === sdk().SdkErrorCode.RequestTimeout;
}

/** HTTP statuses by which whatever stands before a server says that it is not there. */
const unavailableStatuses = [502, 503, 504];

function saysUnavailable(error: unknown): boolean {
  return isSdkHttpError(error) && unavailableStatuses.includes(error.status);
}
