import { abortable } from '../model/index.ts';

/** Gives up on `run` as soon as `signal` aborts, and tells it. */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return abortable(run(signal ?? new AbortController().signal), signal, () => new Error('cancelled'));
}
