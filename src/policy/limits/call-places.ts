/** How many may run at once under the keys of one kind, such as all callers. */
export interface PlaceKey {
  key: string;
  most: number;
}

export interface PlacesOptions {
  /** Waiting calls of all callers together, and of one. */
  queueMax: number;
  queueMaxPerCaller: number;
}

interface Waiting {
  caller: string;
  keys: readonly PlaceKey[];
  start: () => void;
}

/** Why there is no place. */
export type Full = 'queue full' | 'waited too long' | 'cancelled';

/**
 * Places to run in, counted under several keys at once: a call runs while there is room under all of its own, and else
 * waits, the first come first, without holding up calls of other keys. The queue is bounded, for each caller as well, so that
 * none takes it from the others.
 */
export class CallPlaces {
  readonly #options: PlacesOptions;
  readonly #running = new Map<string, number>();
  readonly #queue = new Set<Waiting>();

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Gives what hands the place back, or why there is none. */
  async enter(
    caller: string,
    keys: readonly PlaceKey[],
    { maxWaitMs, signal }: { maxWaitMs: number; signal?: AbortSignal | undefined },
  ): Promise<(() => void) | Full> {
    if (signal?.aborted) return 'cancelled';
    if (this.#hasRoom(keys)) return this.#take(keys);
    if (!this.#mayWait(caller)) return 'queue full';
    return new Promise((resolve) => {
      const settle = (outcome: (() => void) | Full) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#queue.delete(waiting);
        resolve(outcome);
      };
      const onAbort = () => settle('cancelled');
      const timer = setTimeout(() => settle('waited too long'), maxWaitMs);
      const waiting: Waiting = { caller, keys, start: () => settle(this.#take(keys)) };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(waiting);
    });
  }

  #mayWait(caller: string): boolean {
    const { queueMax, queueMaxPerCaller } = this.#options;
    if (this.#queue.size >= queueMax) return false;
    const own = [...this.#queue].filter((waiting) => waiting.caller === caller).length;
    return own < queueMaxPerCaller;
  }

  #hasRoom(keys: readonly PlaceKey[]): boolean {
    return keys.every(({ key, most }) => (this.#running.get(key) ?? 0) < most);
  }

  #take(keys: readonly PlaceKey[]): () => void {
    for (const { key } of keys) this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const { key } of keys) this.#leave(key);
      for (const waiting of this.#queue) if (this.#hasRoom(waiting.keys)) waiting.start();
    };
  }

  /** A key that nobody runs under is forgotten: there is no end of callers. */
  #leave(key: string): void {
    const running = (this.#running.get(key) ?? 0) - 1;
    if (running > 0) this.#running.set(key, running);
    else this.#running.delete(key);
  }
}
