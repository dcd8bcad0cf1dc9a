import { ToolcribError } from '../../errors/index.ts';
import type { CallLimits, LimitedCall } from '../../model/index.ts';
import { CallPlaces, type Full, type PlaceKey } from './call-places.ts';
import { RateWindow } from './rate-window.ts';

/** 0 is no limit. */
export interface CallLimit {
  perMinute: number;
  /** Calls that run at the same time. */
  atOnce: number;
}

export interface CallLimitOptions {
  caller: CallLimit;
  server: CallLimit;
  tool: CallLimit;
  /** Calls of all callers that wait for a place. */
  queueMax: number;
  /** Longest wait for a place. */
  queueMaxWaitMs: number;
}

/**
 * Against what runs wild, and far above what models do: 500 calls a second of one caller or tool and 1 000 of one server, each
 * minute; a few hundred at once, each of which costs memory here and work there. Waiting longer than half a minute, a host
 * gives up itself.
 */
export const defaultCallLimits: CallLimitOptions = {
  caller: { perMinute: 30_000, atOnce: 256 },
  server: { perMinute: 60_000, atOnce: 256 },
  tool: { perMinute: 30_000, atOnce: 256 },
  queueMax: 1_000,
  queueMaxWaitMs: 30_000,
};

/** Of the queue that one caller may fill, so that there is room for others. */
const queueShare = 0.5;
/** When a place gets free nobody knows; about as long as a call takes. */
const placeRetryMs = 1_000;
const windowSeconds = 60;

/** The limits of a config, in memory: each process counts for itself. */
export function createCallLimits(options: CallLimitOptions): CallLimits {
  return new MemoryLimits(options);
}

type Kind = 'caller' | 'server' | 'tool';

const kinds: readonly Kind[] = ['caller', 'server', 'tool'];

class MemoryLimits implements CallLimits {
  readonly #options: CallLimitOptions;
  readonly #windows: ReadonlyMap<Kind, RateWindow>;
  readonly #places: CallPlaces;

  constructor(options: CallLimitOptions) {
    this.#options = options;
    const limited = kinds.filter((kind) => options[kind].perMinute > 0);
    this.#windows = new Map(
      limited.map((kind) => [kind, new RateWindow({ most: options[kind].perMinute, perSeconds: windowSeconds })]),
    );
    const { queueMax } = options;
    this.#places = new CallPlaces({ queueMax, queueMaxPerCaller: Math.ceil(queueMax * queueShare) });
  }

  async count(call: LimitedCall): Promise<void> {
    const counted: Kind[] = [];
    for (const kind of kinds) {
      const retryAfterMs = await this.#windows.get(kind)?.count(keyOf(kind, call));
      if (retryAfterMs !== undefined) {
        // What was not called does not count against the others.
        for (const other of counted) await this.#windows.get(other)?.uncount(keyOf(other, call));
        throw tooMany(kind, call, this.#options[kind].perMinute, retryAfterMs);
      }
      counted.push(kind);
    }
  }

  async countRequest(caller: string): Promise<void> {
    const retryAfterMs = await this.#windows.get('caller')?.count(caller);
    if (retryAfterMs === undefined) return;
    const message = `There were more than ${this.#options.caller.perMinute} requests of this caller within a minute.`;
    throw rateLimited(message, retryAfterMs);
  }

  async enter(call: LimitedCall, signal?: AbortSignal): Promise<() => void> {
    const { queueMaxWaitMs: maxWaitMs } = this.#options;
    const keys = kinds.flatMap((kind): PlaceKey[] => {
      const { atOnce: most } = this.#options[kind];
      return most === 0 ? [] : [{ key: `${kind} ${keyOf(kind, call)}`, most }];
    });
    const place = await this.#places.enter(call.caller, keys, { maxWaitMs, signal });
    if (typeof place === 'function') return place;
    throw noPlace(place, call);
  }
}

function keyOf(kind: Kind, { caller, serverId, toolName }: LimitedCall): string {
  return kind === 'caller' ? caller : kind === 'server' ? serverId : JSON.stringify([serverId, toolName]);
}

function tooMany(kind: Kind, { name, serverId }: LimitedCall, most: number, retryAfterMs: number): ToolcribError {
  const whose = kind === 'caller' ? 'of this caller' : kind === 'server' ? `to server "${serverId}"` : `of ${name}`;
  return rateLimited(`${name} was not run: there were more than ${most} calls ${whose} within a minute.`, retryAfterMs);
}

function noPlace(why: Full, { name }: LimitedCall): ToolcribError {
  if (why === 'cancelled') {
    return new ToolcribError('cancelled', `The call to ${name} was cancelled while it waited. Nothing was run.`, {
      details: { mayHaveRun: false },
    });
  }
  const what = why === 'queue full' ? 'too many calls wait already' : 'other calls did not end in time';
  return rateLimited(`${name} was not run: ${what}.`, placeRetryMs);
}

function rateLimited(message: string, retryAfterMs: number): ToolcribError {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return new ToolcribError('rate_limited', message, {
    next: `Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}, then call again.`,
    details: { retryAfterMs, mayHaveRun: false },
  });
}
