import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger, SettleProgress } from '../model/index.ts';
import type { Parts } from './compose.ts';

export interface BackgroundWorkDeps
  extends Pick<Parts, 'textIndexing' | 'scanning' | 'backfill' | 'embedder' | 'tokenCounting'> {
  logger: Logger;
  /** True from the moment on that toolcrib is closed. */
  isClosing: () => boolean;
}

/** What follows a change of the catalog, with nobody waiting: keywords, the scan of definitions, vectors, token counts. */
export class BackgroundWork {
  readonly #deps: BackgroundWorkDeps;

  constructor(deps: BackgroundWorkDeps) {
    this.#deps = deps;
  }

  /** Not before the one who made the change goes on. */
  start(): void {
    const { backfill, tokenCounting, logger, isClosing } = this.#deps;
    this.startIndexing();
    setImmediate(() => {
      if (isClosing()) return;
      backfill?.kick();
      tokenCounting.run().catch((error: unknown) => logger.warn('counting tokens failed', { error }));
    });
  }

  /** What searches wait for, and the scan behind it. */
  startIndexing(): void {
    const { textIndexing, scanning, logger } = this.#deps;
    const indexed = textIndexing.run();
    indexed.catch((error: unknown) => logger.warn('indexing tools failed', { error }));
    // Not beside the indexing: what is read before its turn is scanned then.
    const scanned = indexed.catch(() => undefined).then(() => scanning.run());
    scanned.catch((error: unknown) => logger.warn('scanning definitions failed', { error }));
  }

  /** Ends when nothing is left to do. */
  async settled(onProgress?: (progress: SettleProgress) => void): Promise<void> {
    const { backfill, textIndexing, scanning, tokenCounting } = this.#deps;
    await Promise.all([textIndexing.run(), scanning.run(), tokenCounting.run(), backfill?.settled(onProgress)]);
    await backfill?.settled(onProgress);
  }

  async stop(): Promise<void> {
    const { textIndexing, scanning, tokenCounting } = this.#deps;
    textIndexing.stop();
    scanning.stop();
    await Promise.all([stopEmbedding(this.#deps), tokenCounting.stop()]);
  }
}

/** For the vectors at hand, which are worth keeping; a function of the host, or an endpoint, may never answer. */
const maxBatchWaitMs = 2_000;

async function stopEmbedding({ backfill, embedder }: Pick<Parts, 'backfill' | 'embedder'>): Promise<void> {
  const stopped = backfill?.stop();
  const limit = new AbortController();
  const late = sleep(maxBatchWaitMs, undefined, { signal: limit.signal }).catch(() => undefined);
  await Promise.race([stopped, late]);
  limit.abort();
  await embedder?.close();
  await stopped;
}
