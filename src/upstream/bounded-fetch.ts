import { patientFetch } from './patient-fetch.ts';
import { withBody } from './with-body.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** A server sent one message that is longer than we read. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`One message has more than ${maxBytes} bytes.`);
    this.maxBytes = maxBytes;
  }
}

export interface BoundedFetchOptions {
  /** Bytes of one JSON body or of one event of a stream. */
  messageMaxBytes: number;
  /** Told of each event that is too large, with the body of the request that it may be the answer to. */
  onEventTooLarge(error: AnswerTooLargeError, requestBody: unknown): void;
}

/**
 * `fetch` whose bodies fail with `AnswerTooLargeError` once a message in them is too long, so that an answer without
 * end does not fill the memory. A stream of events may go on for ever, each event may not.
 */
export function boundedFetch({ messageMaxBytes, onEventTooLarge }: BoundedFetchOptions): typeof fetch {
  return async (url, init) => {
    const response = await patientFetch(url, init);
    if (response.body === null) return response;
    const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    const pending = isStream ? eventBytes() : bodyBytes();
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (pending(chunk) <= messageMaxBytes) return controller.enqueue(chunk);
        const error = new AnswerTooLargeError(messageMaxBytes);
        if (isStream) onEventTooLarge(error, init?.body);
        controller.error(error);
      },
    });
    return withBody(response, response.body.pipeThrough(bound));
  };
}

/** Counts the bytes of a body. */
function bodyBytes(): (chunk: Uint8Array) => number {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    return bytes;
  };
}

/** Counts the bytes since the last empty line, which ends an event (WHATWG HTML, "Server-sent events"). */
function eventBytes(): (chunk: Uint8Array) => number {
  let bytes = 0;
  let lineBytes = 0;
  let last = 0;
  return (chunk) => {
    // An event that is whole within one chunk is held already, so only what stays open is counted.
    for (const byte of chunk) {
      bytes += 1;
      if (byte === lineFeed || byte === carriageReturn) {
        const isSecondHalf = byte === lineFeed && last === carriageReturn;
        if (!isSecondHalf && lineBytes === 0) bytes = 0;
        lineBytes = 0;
      } else lineBytes += 1;
      last = byte;
    }
    return bytes;
  };
}
