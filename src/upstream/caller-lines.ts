import { ToolcribError } from '../errors/index.ts';
import type { CallLane } from './call-lane.ts';
import type { Link } from './link.ts';

/** How long a caller's own connection is kept without a call: long enough for a conversation with pauses. */
const idleCloseMs = 5 * 60_000;
/** Connections of callers to one server at a time. Each may be a process. */
const callersMax = 32;

export interface CallerLimits {
  idleCloseMs?: number;
  callersMax?: number;
}

/** A line to a server and the calls on it. */
export interface Line {
  link: Link;
  lane: CallLane;
}

interface Caller extends Line {
  /** Calls that have asked for this line and may not have reached it yet. */
  users: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A line for each principal (`isolation: "perCaller"`): opened with their first call, closed when they have not called
 * for a while, or when another caller needs the room.
 */
export class CallerLines {
  readonly #serverId: string;
  readonly #open: () => Line;
  readonly #limits: Required<CallerLimits>;
  readonly #callers = new Map<string, Caller>();

  constructor(serverId: string, open: () => Line, limits: CallerLimits = {}) {
    this.#serverId = serverId;
    this.#open = open;
    this.#limits = { idleCloseMs, callersMax, ...limits };
  }

  /** Runs `use` on the caller's line. Throws `upstream_unavailable` when all lines are in use by others. */
  async use<T>(principal: string, use: (lane: CallLane) => Promise<T>): Promise<T> {
    const caller = this.#callerOf(principal);
    caller.users += 1;
    clearTimeout(caller.timer);
    try {
      return await use(caller.lane);
    } finally {
      caller.users -= 1;
      if (caller.users === 0) this.#closeLater(principal, caller);
    }
  }

  async close(): Promise<void> {
    const callers = [...this.#callers.values()];
    this.#callers.clear();
    for (const { timer } of callers) clearTimeout(timer);
    await Promise.allSettled(callers.map(({ link }) => link.close()));
  }

  #callerOf(principal: string): Caller {
    const known = this.#callers.get(principal);
    // The one used last goes to the end.
    this.#callers.delete(principal);
    if (known === undefined) this.#makeRoom();
    const caller = known ?? { ...this.#open(), users: 0, timer: undefined };
    this.#callers.set(principal, caller);
    return caller;
  }

  #makeRoom(): void {
    if (this.#callers.size < this.#limits.callersMax) return;
    const idle = [...this.#callers].find(([, caller]) => isIdle(caller));
    if (idle === undefined) {
      throw new ToolcribError(
        'upstream_unavailable',
        `Server "${this.#serverId}" has a connection for each caller, and all ${this.#limits.callersMax} are in use. The call did not run.`,
        { details: { server: this.#serverId, mayHaveRun: false } },
      );
    }
    this.#drop(...idle);
  }

  #closeLater(principal: string, caller: Caller): void {
    clearTimeout(caller.timer);
    caller.timer = setTimeout(() => {
      if (isIdle(caller)) this.#drop(principal, caller);
      else this.#closeLater(principal, caller);
    }, this.#limits.idleCloseMs).unref();
  }

  #drop(principal: string, caller: Caller): void {
    clearTimeout(caller.timer);
    if (this.#callers.get(principal) === caller) this.#callers.delete(principal);
    void caller.link.close().catch(() => {});
  }
}

/** A call that waits for its user is one that runs. */
function isIdle({ users, lane }: Caller): boolean {
  return users === 0 && lane.isIdle;
}
