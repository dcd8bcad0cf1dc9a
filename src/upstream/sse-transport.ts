import type { HttpTransport } from '../model/index.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { NotExecutedError } from './faults.ts';
import { sdk } from './sdk.ts';
import { TapTransport } from './tap-transport.ts';
import type { OpenTransport, TransportDeps } from './transport.ts';
import { untilEnd, withBody } from './with-body.ts';

/**
 * The deprecated HTTP+SSE transport (MCP 2024-11-05): one stream for all that the server says, a POST for each message to
 * it. The end of the stream is the end of the connection: what the SDK would open in its place is another session, in which
 * nothing was initialized.
 */
export function openSse({ url, headers }: HttpTransport, { messageMaxBytes, auth }: TransportDeps): OpenTransport {
  let report: string | undefined;
  const bounded = boundedFetch({
    messageMaxBytes,
    onEventTooLarge: (error) => {
      report = error.message;
      void sse.close();
    },
  });
  const end = () => void sse.close();
  const fetch = oneStream(auth?.wrap(bounded) ?? bounded, end);
  const sse = new (sdk().SSEClientTransport)(new URL(url), { requestInit: { headers }, fetch });
  return {
    tap: new TapTransport(sse as ConstructorParameters<typeof TapTransport>[0]),
    exitReport: () => report,
    exitedCleanly: () => report === undefined,
    // It is in the address that the server gave us for messages.
    hasSession: () => true,
    hearsNotices: () => true,
    close: () => sse.close(),
  };
}

/** Tells of the end of the stream, opens no second one, and makes a refused POST an error with its status. */
function oneStream(inner: typeof fetch, onEnd: () => void): typeof fetch {
  let isOpened = false;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    onEnd();
  };
  return async (url, init) => {
    const isPost = init?.method === 'POST';
    if (hasEnded || (!isPost && isOpened)) throw new NotExecutedError('the stream has ended');
    const response = await inner(url, init).catch((error: unknown) => {
      // What was being sent is cut off with the stream.
      throw hasEnded ? new (sdk().SdkError)(sdk().SdkErrorCode.ConnectionClosed, 'Connection closed') : error;
    });
    if (isPost && response.status >= 400) throw await refusedPost(response);
    if (isPost || !response.ok || response.body === null) return response;
    isOpened = true;
    return withBody(response, untilEnd(response.body, end));
  };
}

async function refusedPost(response: Response): Promise<Error> {
  const { SdkHttpError, SdkErrorCode } = sdk();
  const { status, statusText } = response;
  const text = await response.text().catch(() => '');
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `The server answered HTTP ${status}.`, {
    status,
    statusText,
    text,
  });
}
