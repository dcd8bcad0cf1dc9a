import { randomBytes } from 'node:crypto';
import { ToolcribError } from '../errors/index.ts';
import type { Logger, Tool } from '../model/index.ts';
import type { RunningCall } from './running-call.ts';

/** How long a user has for an answer: as long as a form may take, and no longer than a server is likely to wait. */
const parkedMaxMs = 10 * 60_000;
/** Calls that wait for users, all servers together. Each holds a call open on its server. */
const parkedMax = 128;
/** Of one principal: a host that never answers leaves room for others. */
const parkedMaxEach = 32;

export interface ParkedLimits {
  parkedMaxMs?: number;
  parkedMax?: number;
  parkedMaxEach?: number;
}

/** Who takes the call up again. */
interface Keeper {
  drop(call: RunningCall): void;
}

interface Parked<K extends Keeper> {
  call: RunningCall;
  keeper: K;
  timer: NodeJS.Timeout;
}

/** The calls that wait for their users, each under a handle that cannot be guessed and serves once. */
export class ParkedCalls<K extends Keeper> {
  readonly #parked = new Map<string, Parked<K>>();
  readonly #limits: Required<ParkedLimits>;
  readonly #logger: Logger;

  constructor(logger: Logger, limits: ParkedLimits = {}) {
    this.#limits = { parkedMaxMs, parkedMax, parkedMaxEach, ...limits };
    this.#logger = logger;
  }

  /** Undefined when too many wait already. */
  add(call: RunningCall, keeper: K): string | undefined {
    const own = [...this.#parked.values()].filter(({ call: { principal } }) => principal === call.principal).length;
    if (this.#parked.size >= this.#limits.parkedMax || own >= this.#limits.parkedMaxEach) return undefined;
    const handle = randomBytes(24).toString('base64url');
    const timer = setTimeout(() => this.#expire(handle), this.#limits.parkedMaxMs).unref();
    this.#parked.set(handle, { call, keeper, timer });
    return handle;
  }

  /** Throws `input_state_invalid` for a handle that is not, or no longer, that of a call of this tool and principal. */
  take(handle: string, tool: Tool, principal: string): Parked<K> {
    const found = this.#parked.get(handle);
    const isTheirs =
      found?.call.principal === principal &&
      found.call.tool.serverId === tool.serverId &&
      found.call.tool.toolName === tool.toolName;
    if (found === undefined || !isTheirs) throw noLongerWaiting(tool);
    this.#remove(handle);
    return found;
  }

  /** Ends the call. Does nothing for an unknown handle. */
  abandon(handle: string): void {
    const found = this.#remove(handle);
    found?.call.cancel();
    found?.keeper.drop(found.call);
  }

  close(): void {
    for (const handle of [...this.#parked.keys()]) this.abandon(handle);
  }

  #expire(handle: string): void {
    const { serverId: server, toolName: tool } = this.#parked.get(handle)?.call.tool ?? {};
    this.#logger.info('Nobody answered in time; the call is cancelled.', { server, tool });
    this.abandon(handle);
  }

  #remove(handle: string): Parked<K> | undefined {
    const found = this.#parked.get(handle);
    clearTimeout(found?.timer);
    this.#parked.delete(handle);
    return found;
  }
}

function noLongerWaiting({ serverId }: Tool): ToolcribError {
  return new ToolcribError(
    'input_state_invalid',
    `The call to server "${serverId}" no longer waits for this answer: it was answered before, took too long, or toolcrib was restarted. The call may have run in part.`,
    { details: { server: serverId, mayHaveRun: true } },
  );
}
