import { steadyNow } from '../model/index.ts';

/** Quiet time after a notice before the list is fetched: servers that register many tools send one for each. */
const debounceMs = 100;
/** A server that never falls quiet is listed after this time all the same. */
const maxWaitMs = 1_000;
/** A notice this soon after a list may have been caused by the list; slower loops do no harm. */
const echoWindowMs = 30_000;
/** Longest pause for a server that answers each list with a notice. */
const echoMaxDelayMs = 60_000;
/** So many lists in a row may follow a notice and hold something new before their notices count as echoes as well. */
const changesUnquestioned = 8;

/**
 * Decides when a `list_changed` notice leads to a list. Notices are gathered; those that only echo our own lists are
 * answered more and more rarely, so that a server that sends one after every list causes no endless loop, not even when
 * each of its lists differs from the one before.
 */
export class RelistSchedule {
  readonly #relist: () => void;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #firstNoticeAt: number | undefined;
  #listingCount = 0;
  #lastListAt = Number.NEGATIVE_INFINITY;
  #idleLists = 0;
  #changedLists = 0;

  constructor(relist: () => void) {
    this.#relist = relist;
  }

  /** A notice came. */
  notice(now = steadyNow()): void {
    const isEcho = this.#listingCount > 0 || now - this.#lastListAt < echoWindowMs;
    if (!isEcho) {
      this.#idleLists = 0;
      this.#changedLists = 0;
    }
    this.#firstNoticeAt ??= now;
    const doublings = this.#idleLists + Math.max(0, this.#changedLists - changesUnquestioned);
    const quietMs = isEcho ? Math.min(debounceMs * 2 ** doublings, echoMaxDelayMs) : debounceMs;
    const latestAt = isEcho && doublings > 0 ? Number.POSITIVE_INFINITY : this.#firstNoticeAt + maxWaitMs;
    const dueAt = Math.min(now + quietMs, latestAt);
    // A real change must not wait for an echo's turn, and an echo must not put off a real change.
    if (this.#timer !== undefined && isEcho && doublings > 0 && this.#dueAt <= dueAt) return;
    this.#set(Math.max(dueAt, now), now);
  }

  listStarted(): void {
    this.#listingCount += 1;
  }

  /** @param outcome of a list that a notice led to: `idle` when it held nothing new */
  listEnded(outcome: 'changed' | 'idle' | 'other', now = steadyNow()): void {
    this.#listingCount -= 1;
    this.#lastListAt = now;
    if (outcome === 'changed') {
      this.#idleLists = 0;
      this.#changedLists += 1;
    }
    if (outcome === 'idle') this.#idleLists += 1;
  }

  /** True while a notice waits for its list. */
  get isPending(): boolean {
    return this.#timer !== undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firstNoticeAt = undefined;
  }

  #set(dueAt: number, now: number): void {
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#firstNoticeAt = undefined;
      this.#relist();
    }, dueAt - now);
    this.#timer.unref();
  }
}
