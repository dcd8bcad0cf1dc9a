import { isToolcribError, type ToolcribError } from '../errors/index.ts';
import type { EraVerdict, ServerSpec, ServerState } from '../model/index.ts';
import { cancelled, closed } from './call-tool.ts';
import { type FaultContext, NotExecutedError, peopleMessage, toFault, wasNotExecuted } from './faults.ts';
import { openSession, type Session, type SessionDeps } from './session.ts';
import { type ToolChangeWatch, watchToolChanges } from './tool-changes.ts';

export interface LinkDeps extends SessionDeps {
  /** Aborted when toolcrib closes. */
  closing: AbortSignal;
  hideSecrets: (text: string) => string;
  /** The verdict of an earlier connection. */
  knownEra(): EraVerdict | undefined;
  onState(state: ServerState['state'], error?: string): void;
  onConnected(session: Session): void;
  /** The server says that its tools changed. */
  onChange(): void;
  onEnded(): void;
}

/**
 * The line to one server: at most one process or HTTP session at a time, opened when first needed and again when
 * needed after it ended. Those who need it at the same time share one opening.
 */
export class Link {
  readonly #spec: ServerSpec;
  readonly #deps: LinkDeps;
  #session: Session | undefined;
  #connecting: Promise<Session> | undefined;
  #watch: ToolChangeWatch | undefined;

  constructor(spec: ServerSpec, deps: LinkDeps) {
    this.#spec = spec;
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#session !== undefined;
  }

  /** True while the server tells us of changes. */
  get isWatched(): boolean {
    return this.#watch?.isActive() ?? false;
  }

  /**
   * Runs `use` on the session; once more on a new one when the server certainly did not read the request. Throws a
   * `ToolcribError`; `cancelled` when `signal` aborts before there is a session.
   */
  async run<T>(phase: 'list' | 'call', use: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { closing } = this.#deps;
    for (let isRetry = false; ; isRetry = true) {
      const session = await abortable(this.#connect(), signal, () => cancelled(this.#spec.id, false));
      try {
        if (session.hasEnded()) throw new NotExecutedError('it ended again');
        return await use(session);
      } catch (error) {
        if (closing.aborted && !isToolcribError(error)) throw closed(this.#spec.id, phase === 'call');
        if (isRetry || closing.aborted || !wasNotExecuted(error, session.hasSessionId())) {
          throw this.#fault(error, phase, session);
        }
        this.#drop(session);
      }
    }
  }

  async close(): Promise<void> {
    const session = this.#session ?? (await this.#connecting?.catch(() => undefined));
    await session?.close();
  }

  #connect(): Promise<Session> {
    if (this.#deps.closing.aborted) return Promise.reject(closed(this.#spec.id, false));
    if (this.#session !== undefined && !this.#session.hasEnded()) return Promise.resolve(this.#session);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<Session> {
    const { closing, logger, knownEra, onState, onConnected, onChange } = this.#deps;
    onState('connecting');
    let session: Session;
    try {
      session = await openSession(this.#spec, knownEra(), this.#deps, closing);
    } catch (error) {
      if (closing.aborted) throw closed(this.#spec.id, false);
      const failure = this.#fault(error, 'connect');
      onState(stateAfter(failure), peopleMessage(failure));
      throw failure;
    }
    this.#session = session;
    session.onEnd(() => this.#ended(session));
    const onNotice = () => {
      if (this.#session === session) onChange();
    };
    const watch = await watchToolChanges(session, onNotice, logger);
    if (this.#session === session) {
      this.#watch = watch;
      onState('ready');
    }
    onConnected(session);
    return session;
  }

  #ended(session: Session): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#watch = undefined;
    this.#deps.onEnded();
    if (this.#deps.closing.aborted) return;
    const report = session.exitReport();
    this.#deps.logger.info('The server ended.', report === undefined ? {} : { report });
    if (session.exitedCleanly()) this.#deps.onState('idle');
    else {
      const why = `Server "${this.#spec.id}" ended: ${report ?? 'connection lost'}.`;
      this.#deps.onState('failed', this.#deps.hideSecrets(why));
    }
  }

  #drop(session: Session): void {
    if (this.#session === session) {
      this.#session = undefined;
      this.#watch = undefined;
    }
    void session.close().catch(() => {});
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
