import { isToolcribError, messageOf, ToolcribError } from '../errors/index.ts';
import {
  type CallToolResult,
  type HostCallOptions,
  isJsonObject,
  type JsonObject,
  type Logger,
  type Operation,
  type OperationKey,
  type OperationState,
  type OperationStore,
  type Tool,
} from '../model/index.ts';
import { callerOf, operationDigest } from './call-binding.ts';
import { isForModels } from './results.ts';
import { sealedMaxMs } from './state-seal.ts';

/** Metadata of a request by which a host names the operation that it means, and may ask for it again. */
export const idempotencyKeyMeta = 'dev.toolcrib/idempotencyKey';
/** Metadata of a result that was given before, for the same key. */
const replayedMeta = 'dev.toolcrib/replayed';
/** Longer ones hold data rather than name something. */
const keyMaxChars = 200;

/** A process that runs operations says so this often, and is taken for dead when it was silent three times as long. */
const keepAliveMs = 10_000;
const silentMaxMs = 3 * keepAliveMs;

export interface KeyedCallsDeps {
  store: OperationStore;
  /** This process, as others know it. */
  owner: string;
  /** False for a process of this machine that is certainly gone. */
  mayLive: (owner: string) => boolean;
  logger: Logger;
}

/** One call with a key, on its way. */
export interface KeyedCall {
  /**
   * What came of it before. Undefined where it is to be run now. Throws `idempotency_conflict`, `operation_in_progress`,
   * `result_too_large`, the error of an unknown outcome, and `internal` where that cannot be looked up.
   */
  known(): CallToolResult | undefined;
  /** Notes that it is sent now. Throws as `known` where another call was faster; nothing is to be sent then. */
  begin(): void;
  /** It asks its host, who will come back. */
  paused(): void;
  done(result: CallToolResult): void;
  failed(error: unknown): void;
}

/** Runs a call of one key once, however often and in whatever process it is asked for. */
export class KeyedCalls {
  readonly #deps: KeyedCallsDeps;
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: KeyedCallsDeps) {
    this.#deps = deps;
  }

  /** Undefined for a call without a key. Throws `invalid_arguments` for a key that is none. */
  of(tool: Tool, args: JsonObject, options: HostCallOptions): KeyedCall | undefined {
    const key = options.meta?.[idempotencyKeyMeta];
    if (key === undefined) return undefined;
    if (typeof key !== 'string' || key === '' || key.length > keyMaxChars) {
      throw new ToolcribError(
        'invalid_arguments',
        `${tool.exposedName} was not run: _meta["${idempotencyKeyMeta}"] must be a text of 1 to ${keyMaxChars} characters.`,
        { next: 'Call again with another key.', details: { mayHaveRun: false } },
      );
    }
    const id = { caller: callerOf(options), key };
    const digest = operationDigest(tool, args);
    const isContinued = options.requestState !== undefined || options.inputResponses !== undefined;
    let isResumed = false;
    return {
      known: () => guarded(tool, () => this.#known({ id, digest, tool, isContinued })),
      begin: () => {
        isResumed = guarded(tool, () => this.#begin({ id, digest, tool, isContinued }));
      },
      paused: () => this.#settle(id, 'paused'),
      done: (result) => this.#settle(id, 'done', JSON.stringify(result)),
      failed: (error) => this.#failed(id, error, isResumed),
    };
  }

  #known({ id, digest, tool, isContinued }: Asked): CallToolResult | undefined {
    const operation = this.#deps.store.find(id);
    if (operation === undefined) return undefined;
    if (operation.digest !== digest) throw conflict(tool, id);
    if (operation.state === 'done') return replayed(operation, tool, id);
    if (operation.state === 'paused' && Date.now() - operation.startedAt < sealedMaxMs) {
      if (isContinued) return undefined;
      throw inProgress(tool, id, 'waits for answers of the user');
    }
    if (operation.state === 'running' && this.#isRunning(operation, id)) throw inProgress(tool, id, 'is still running');
    throw unknownOutcome(operation, tool, id);
  }

  /** True where it goes on from a pause. */
  #begin(asked: Asked): boolean {
    const { id, digest } = asked;
    const { store, owner } = this.#deps;
    const operation = { digest, owner, aliveUntil: Date.now() + silentMaxMs };
    const isStarted = store.start(id, operation);
    if (!isStarted && !(asked.isContinued && store.resume(id, operation))) {
      this.#known({ ...asked, isContinued: false });
      throw inProgress(asked.tool, id, 'was just started by another call');
    }
    this.#running.add(nameOf(id));
    this.#timer ??= setInterval(() => this.#keepAlive(), keepAliveMs).unref();
    return !isStarted;
  }

  #isRunning({ owner, aliveUntil }: Operation, id: OperationKey): boolean {
    if (owner === this.#deps.owner) return this.#running.has(nameOf(id));
    return this.#deps.mayLive(owner) && aliveUntil > Date.now();
  }

  /** Answers that did not get through leave the call waiting for others: it has begun before. */
  #failed(id: OperationKey, error: unknown, isResumed: boolean): void {
    const mayHaveRun = !isToolcribError(error) || error.details.mayHaveRun !== false;
    // Faults of ours are for the log alone.
    const reason = isForModels(error) ? JSON.stringify({ message: error.message }) : undefined;
    if (mayHaveRun) this.#settle(id, 'unknown', reason);
    else if (isResumed) this.#settle(id, 'paused');
    else this.#ended(id, () => this.#deps.store.forget(id));
  }

  #settle(id: OperationKey, state: Exclude<OperationState, 'running'>, outcome?: string): void {
    this.#ended(id, () => this.#deps.store.settle(id, state, outcome));
  }

  /** The call has its answer whether or not that can be noted; what is not noted counts as unknown from now on. */
  #ended(id: OperationKey, note: () => void): void {
    this.#running.delete(nameOf(id));
    if (this.#running.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    try {
      note();
    } catch (error) {
      this.#deps.logger.warn('what came of an operation could not be noted', { error: messageOf(error) });
    }
  }

  #keepAlive(): void {
    try {
      this.#deps.store.keepAlive(this.#deps.owner, Date.now() + silentMaxMs);
    } catch (error) {
      this.#deps.logger.debug('running operations could not be noted', { error: messageOf(error) });
    }
  }
}

interface Asked {
  id: OperationKey;
  digest: string;
  tool: Tool;
  isContinued: boolean;
}

function nameOf({ caller, key }: OperationKey): string {
  return JSON.stringify([caller, key]);
}

/** A host that gives a key relies on it: without the note, nothing is run. */
function guarded<Result>(tool: Tool, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (isToolcribError(error)) throw error;
    const message = `${tool.exposedName} was not run: toolcrib could not look up or note the operation of its idempotency key.`;
    throw new ToolcribError('internal', message, {
      next: 'Tell the user; the log of toolcrib says why.',
      details: { mayHaveRun: false },
      cause: error,
    });
  }
}

function replayed({ outcome, startedAt }: Operation, { exposedName }: Tool, id: OperationKey): CallToolResult {
  if (outcome === undefined) {
    const message = `${exposedName} ran at ${timeOf(startedAt)} ${forKey(id)}; its result was too large to be kept.`;
    throw new ToolcribError('result_too_large', message, { details: { mayHaveRun: true } });
  }
  const result = JSON.parse(outcome) as CallToolResult;
  return { ...result, _meta: { ...result._meta, [replayedMeta]: true } };
}

function conflict({ exposedName }: Tool, { key }: OperationKey): ToolcribError {
  return new ToolcribError(
    'idempotency_conflict',
    `${exposedName} was not run: the idempotency key ${JSON.stringify(key)} was used for another call, with another tool or other arguments.`,
    { details: { mayHaveRun: false } },
  );
}

function inProgress({ exposedName }: Tool, id: OperationKey, state: string): ToolcribError {
  return new ToolcribError('operation_in_progress', `The call to ${exposedName} ${forKey(id)} ${state}.`);
}

function unknownOutcome({ outcome, startedAt }: Operation, tool: Tool, id: OperationKey): ToolcribError {
  const sent = `The call to ${tool.exposedName} ${forKey(id)} was sent to server "${tool.serverId}" at ${timeOf(startedAt)}`;
  const what = reasonIn(outcome) ?? 'No answer came before toolcrib ended.';
  return new ToolcribError('upstream_timeout_unknown_outcome', `${sent}. ${what} It is not sent again.`, {
    details: { server: tool.serverId, mayHaveRun: true },
  });
}

/** In the words of the error that the first caller got. */
function reasonIn(outcome: string | undefined): string | undefined {
  const fault: unknown = outcome === undefined ? undefined : JSON.parse(outcome);
  return isJsonObject(fault) && typeof fault.message === 'string' ? fault.message : undefined;
}

function forKey({ key }: OperationKey): string {
  return `of the idempotency key ${JSON.stringify(key)}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
