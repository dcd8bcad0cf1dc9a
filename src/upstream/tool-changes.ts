import type { McpSubscription } from '@modelcontextprotocol/client';
import { messageOf } from '../errors/index.ts';
import { isJsonObject, type Logger, steadyNow } from '../model/index.ts';
import { jittered } from './jitter.ts';
import type { Session } from './session.ts';

/** How long a server may take to confirm a subscription before the first list is fetched without it. */
const acknowledgeMs = 2_000;
/** Delays between attempts to subscribe again after the stream broke; after the last one the age of the list decides. */
const listenAgainDelaysMs = [500, 2_000, 10_000, 60_000, 300_000];
/** A stream that held this long was in order: its end is answered as the first one. */
const stableMs = 60_000;

/** Whether the server tells us when its tools change. */
export interface ToolChangeWatch {
  /** True while notices arrive, as far as we know. */
  isActive: () => boolean;
}

/**
 * Has `onChange` called for each `notifications/tools/list_changed`. Older revisions send it unasked (MCP "Tools",
 * list changed); from 2026-07-28 on it comes on a `subscriptions/listen` stream, which is opened here and opened again
 * when it breaks, with a call for what may have been missed. Resolves once the subscription stands or was given up.
 */
export async function watchToolChanges(
  session: Session,
  onChange: () => void,
  logger: Logger,
): Promise<ToolChangeWatch> {
  // Registered in any case: some servers notify without having declared it.
  session.client.setNotificationHandler('notifications/tools/list_changed', onChange);
  if (!announcesChanges(session)) return { isActive: () => false };
  if (session.era.era === 'legacy') return { isActive: () => !session.hasEnded() && session.hearsNotices() };
  const stream = new ListenStream(session, onChange, logger);
  await stream.open();
  return { isActive: () => stream.isOpen };
}

/** Whether the server has declared that it tells of changed tools. */
export function announcesChanges({ capabilities: { tools } }: Session): boolean {
  return isJsonObject(tools) && tools.listChanged === true;
}

class ListenStream {
  #subscription: McpSubscription | undefined;
  #failures = 0;
  readonly #session: Session;
  readonly #onChange: () => void;
  readonly #logger: Logger;

  constructor(session: Session, onChange: () => void, logger: Logger) {
    this.#session = session;
    this.#onChange = onChange;
    this.#logger = logger;
  }

  get isOpen(): boolean {
    return this.#subscription !== undefined;
  }

  async open(): Promise<void> {
    try {
      const subscription = await this.#session.client.listen({ toolsListChanged: true }, { timeout: acknowledgeMs });
      if (subscription.honoredFilter.toolsListChanged !== true) {
        this.#logger.debug('The server sends no change notices; its list ages.');
        await subscription.close();
        return;
      }
      this.#subscription = subscription;
      const openedAt = steadyNow();
      void subscription.closed.then((why) => {
        this.#subscription = undefined;
        if (steadyNow() - openedAt > stableMs) this.#failures = 0;
        if (why !== 'local') this.#again(why);
      });
    } catch (error) {
      this.#again(messageOf(error));
    }
  }

  #again(reason: string): void {
    const pauseMs = listenAgainDelaysMs[this.#failures++];
    const delayMs = pauseMs === undefined ? undefined : jittered(pauseMs);
    if (this.#session.hasEnded()) return;
    this.#logger.debug('The stream of change notices is not open.', { reason, againInMs: delayMs });
    if (delayMs === undefined) return;
    setTimeout(() => {
      if (this.#session.hasEnded()) return;
      void this.open().then(() => {
        if (this.isOpen) this.#onChange();
      });
    }, delayMs).unref();
  }
}
