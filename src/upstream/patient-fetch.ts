/**
 * How long a server over HTTP may say nothing. The limits of a call are ours and come first; this one only bounds what nobody
 * waits for any more. A day: a user may be asked in the middle of a call, and a stream of notices is silent for hours.
 */
const silenceMaxMs = 24 * 3_600_000;

/** Under which Node keeps what `fetch` sends its requests with. */
const globalDispatcher = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

/**
 * `fetch` that does not give up by itself after five minutes without a byte, as that of Node does. Whatever else is set for
 * the process, such as a proxy, holds.
 */
export const patientFetch: typeof fetch = (input, init) => {
  // It is there once any part of `fetch` was used.
  void globalThis.Headers;
  const inner = (globalThis as { [globalDispatcher]?: Dispatcher })[globalDispatcher];
  if (typeof inner?.dispatch !== 'function') return fetch(input, init);
  const limits = { headersTimeout: silenceMaxMs, bodyTimeout: silenceMaxMs };
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => inner.dispatch({ ...options, ...limits }, handler),
  };
  return fetch(input, { ...init, dispatcher } as RequestInit);
};
