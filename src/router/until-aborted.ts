/** Gives up on `run` as soon as `signal` aborts, and tells it. */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return run(new AbortController().signal);
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('cancelled'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([run(signal), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
