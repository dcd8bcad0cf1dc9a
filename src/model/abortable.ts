/** Settles as `promise` does, or rejects as soon as `signal` aborts, or has. */
export async function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  error: () => Error,
): Promise<T> {
  if (signal === undefined) return promise;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(error());
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
