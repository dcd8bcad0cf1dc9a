import { untilEnd, withBody } from './with-body.ts';

/**
 * Watches the streams on which a server of the older revisions sends notices over HTTP (the answers to GET): servers may
 * refuse them, or end them, and then say nothing of changes whatever they have declared.
 */
export class NoticeStreams {
  #open = 0;

  /** True while a stream is open. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  wrap(inner: typeof fetch): typeof fetch {
    return async (url, init) => {
      const response = await inner(url, init);
      const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
      if ((init?.method ?? 'GET') !== 'GET' || !response.ok || !isStream || response.body === null) return response;
      this.#open += 1;
      return withBody(
        response,
        untilEnd(response.body, () => {
          this.#open -= 1;
        }),
      );
    };
  }
}
