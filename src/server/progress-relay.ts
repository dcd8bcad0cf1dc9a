import type { ServerContext } from '@modelcontextprotocol/server';
import { messageOf } from '../errors/index.ts';
import type { Logger, Progress } from '../model/index.ts';

type Notify = ServerContext['mcpReq']['notify'];
type ProgressToken = string | number;

/** Ticks that go out at once: a call with a few steps shows each of them. */
const burstMax = 10;
/** Pause between further ticks: ten a second is more than anyone reads, and no server can flood a host. */
const pauseMs = 100;

/**
 * Sends the progress of one call to the caller who gave a token. Ticks that do not grow are dropped: progress must
 * increase; of those that come too fast the newest goes out (MCP "Progress", rate limiting).
 */
export class ProgressRelay {
  readonly #token: ProgressToken | undefined;
  readonly #notify: Notify;
  readonly #logger: Logger;
  #last = Number.NEGATIVE_INFINITY;
  #sending: Promise<void> = Promise.resolve();
  #sent = 0;
  /** The newest tick, while a pause lasts. */
  #waiting: Progress | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Without a token the caller wants no progress, and nothing is sent. */
  constructor(token: ProgressToken | undefined, notify: Notify, logger: Logger) {
    this.#token = token;
    this.#notify = notify;
    this.#logger = logger;
  }

  send(progress: Progress): void {
    if (this.#token === undefined || !(progress.progress > this.#last)) return;
    this.#last = progress.progress;
    if (this.#timer !== undefined) this.#waiting = progress;
    else this.#sendNow(progress);
  }

  /** Resolves when all ticks are out: those behind the result would be ignored by the host. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sendWaiting();
    clearTimeout(this.#timer);
    await this.#sending;
  }

  #sendNow({ progress, total, message }: Progress): void {
    this.#sent += 1;
    if (this.#sent >= burstMax) this.#timer = setTimeout(() => this.#pauseOver(), pauseMs).unref();
    const params = {
      progressToken: this.#token as ProgressToken,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    this.#sending = this.#sending
      .then(() => this.#notify({ method: 'notifications/progress', params }))
      .catch((error: unknown) => this.#logger.debug('progress could not be sent', { error: messageOf(error) }));
  }

  #pauseOver(): void {
    this.#timer = undefined;
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#sendNow(waiting);
  }
}
