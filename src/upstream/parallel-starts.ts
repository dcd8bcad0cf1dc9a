import pLimit, { type LimitFunction } from 'p-limit';

/** A start that takes longer no longer counts against those at a time: waiting servers cost no time of ours. */
const startSlotMs = 2_000;

/** Starts of servers, so many at a time; whoever asks for one that waits or is under way shares it. */
export class ParallelStarts<T> {
  readonly #limit: LimitFunction;
  readonly #throwIfClosed: () => void;
  /** By server. */
  readonly #starts = new Map<string, Promise<T>>();

  /** @param throwIfClosed asked when it is the turn of a start */
  constructor(max: number, throwIfClosed: () => void) {
    this.#limit = pLimit(max);
    this.#throwIfClosed = throwIfClosed;
  }

  /** True while a start of the server waits or is under way. */
  has(serverId: string): boolean {
    return this.#starts.has(serverId);
  }

  run(serverId: string, start: () => Promise<T>): Promise<T> {
    const shared = this.#starts.get(serverId);
    if (shared !== undefined) return shared;
    const started = this.#inTurn(start).finally(() => this.#starts.delete(serverId));
    this.#starts.set(serverId, started);
    return started;
  }

  /** A slow one gives up its place but is waited for. */
  async #inTurn(start: () => Promise<T>): Promise<T> {
    const { running } = await this.#limit(async () => {
      this.#throwIfClosed();
      const running = start();
      running.catch(() => {});
      let timer: NodeJS.Timeout | undefined;
      const slow = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, startSlotMs);
      });
      await Promise.race([running.catch(() => {}), slow]);
      clearTimeout(timer);
      return { running };
    });
    return running;
  }
}
