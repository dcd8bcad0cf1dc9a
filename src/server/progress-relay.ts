import type { ServerContext } from '@modelcontextprotocol/server';
import { messageOf } from '../errors/index.ts';
import type { Logger, Progress } from '../model/index.ts';

type Notify = ServerContext['mcpReq']['notify'];
type ProgressToken = string | number;

/**
 * Sends the progress of one call to the caller who gave a token. Ticks that do not grow are dropped: progress must
 * increase (MCP "Progress").
 */
export class ProgressRelay {
  readonly #token: ProgressToken | undefined;
  readonly #notify: Notify;
  readonly #logger: Logger;
  #last = Number.NEGATIVE_INFINITY;
  #sending: Promise<void> = Promise.resolve();

  /** Without a token the caller wants no progress, and nothing is sent. */
  constructor(token: ProgressToken | undefined, notify: Notify, logger: Logger) {
    this.#token = token;
    this.#notify = notify;
    this.#logger = logger;
  }

  send({ progress, total, message }: Progress): void {
    if (this.#token === undefined || !(progress > this.#last)) return;
    this.#last = progress;
    const params = {
      progressToken: this.#token,
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    };
    this.#sending = this.#sending
      .then(() => this.#notify({ method: 'notifications/progress', params }))
      .catch((error: unknown) => this.#logger.debug('progress could not be sent', { error: messageOf(error) }));
  }

  /** Resolves when all ticks are out: those behind the result would be ignored by the host. */
  settled(): Promise<void> {
    return this.#sending;
  }
}
