import type { ToolcribError } from '../errors/index.ts';
import { steadyNow } from '../model/index.ts';
import { fault } from './faults.ts';
import { jittered } from './jitter.ts';

/** Failures in a row after which a server is left alone for a while: by then it is broken and not only restarting. */
const opensAfter = 3;
/** Pause before the restart that follows the second failure; the first restart comes at once. */
const restartPauseMs = 1_000;
/** How long the server is left alone at first, doubled with each further failure. */
const openMs = 10_000;
/** Longest time left alone, but for jitter: whoever mends a server should not wait long for it to be tried. */
const openMaxMs = 5 * 60_000;
/** A connection that held this long was in order: its end counts as a first failure. */
const stableMs = 60_000;

/** Why a server is not tried right now. */
export interface Outage {
  /** In words that a model may see. */
  reason: string;
  /** When it is tried again, in milliseconds since the epoch. */
  retryAt: number;
}

/**
 * Keeps a server that fails again and again from being started for every call (circuit breaker). Closed: calls go through, with
 * a pause before a restart. Open, after three failures in a row: calls are refused at once, with the reason. After a
 * while half-open: the next use is the probe; it closes the circuit, or opens it for twice as long.
 */
export class Circuit {
  readonly #serverId: string;
  readonly #random: () => number;
  #failures = 0;
  #last: { error: ToolcribError; kind: 'start' | 'crash' } | undefined;
  #retryAt = 0;

  constructor(serverId: string, random: () => number = Math.random) {
    this.#serverId = serverId;
    this.#random = random;
  }

  /** The server could not be reached or started. */
  startFailed(error: ToolcribError, now = steadyNow()): void {
    // A person has to log in, and then it should work at once.
    if (error.code === 'login_required') return;
    this.#failed(error, 'start', now);
  }

  /** A connection broke by itself after `livedMs`. */
  crashed(error: ToolcribError, livedMs: number, now = steadyNow()): void {
    if (livedMs >= stableMs) this.#failures = 0;
    this.#failed(error, 'crash', now);
  }

  /** The server did what was asked. A list alone says little about a server that ends when it is called. */
  succeeded(what: 'list' | 'call'): void {
    if (what === 'list' && this.#last?.kind === 'crash') return;
    this.#failures = 0;
    this.#last = undefined;
    this.#retryAt = 0;
  }

  /** Defined while the circuit is open. */
  outage(now = steadyNow()): Outage | undefined {
    if (this.#last === undefined || this.#failures < opensAfter || now >= this.#retryAt) return undefined;
    return { reason: this.#last.error.message, retryAt: this.#retryAt };
  }

  /** The error that calls get while the circuit is open. */
  refusal(outage: Outage, now = steadyNow()): ToolcribError {
    const seconds = Math.ceil((outage.retryAt - now) / 1_000);
    return fault(
      'upstream_unavailable',
      `Server "${this.#serverId}" failed ${this.#failures} times in a row and is left alone for another ${seconds} s; nothing was run. Last failure: ${outage.reason}`,
      { serverId: this.#serverId, mayHaveRun: false, retryAt: outage.retryAt, ...reasonOf(this.#last?.error) },
    );
  }

  /** Milliseconds to wait before the next start. */
  pauseMs(now = steadyNow()): number {
    return this.#failures < opensAfter ? Math.max(0, this.#retryAt - now) : 0;
  }

  #failed(error: ToolcribError, kind: 'start' | 'crash', now: number): void {
    this.#failures += 1;
    this.#last = { error, kind };
    this.#retryAt = now + jittered(pauseAfter(this.#failures), this.#random);
  }
}

function pauseAfter(failures: number): number {
  if (failures < opensAfter) return failures === 1 ? 0 : restartPauseMs;
  return Math.min(openMs * 2 ** (failures - opensAfter), openMaxMs);
}

function reasonOf(error: ToolcribError | undefined): { reason?: string } {
  const reason = error?.details.reason;
  return typeof reason === 'string' ? { reason } : {};
}
