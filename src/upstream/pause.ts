import { setTimeout as delay } from 'node:timers/promises';

/** Rejects as soon as `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal });
}
