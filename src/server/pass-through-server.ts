import {
  type CallToolResult,
  type InputRequiredResult,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { revisionRefusal } from './revision-check.ts';

type Message = Parameters<Transport['send']>[0];
type RequestId = ServerContext['mcpReq']['id'];

/**
 * A `Server` that sends content blocks as they were returned. The SDK's own check of a `tools/call` result rebuilds
 * each block from its schema and thereby drops keys it does not know; results must reach the host whole. The check
 * still runs, so a malformed result is refused as before.
 */
export class PassThroughServer extends Server {
  readonly #contents = new Map<RequestId, CallToolResult['content']>();

  /** Remembers the content of the answer to this request; returns the result as it is. */
  passThrough<Result extends CallToolResult | InputRequiredResult>(
    { mcpReq: { id, signal } }: ServerContext,
    result: Result,
  ): Result {
    if (signal.aborted || !isComplete(result)) return result;
    this.#contents.set(id, result.content);
    // A cancelled request is never answered, so nothing else would forget it.
    signal.addEventListener('abort', () => this.#contents.delete(id), { once: true });
    return result;
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(this.#restored(message), options);
    await super.connect(transport);
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      const refusal = revisionRefusal(message);
      if (refusal === undefined) receive?.(message, extra);
      else transport.send(refusal).catch((error: Error) => this.onerror?.(error));
    };
  }

  #restored(message: Message): Message {
    if (!('result' in message) || message.id === undefined) return message;
    const content = this.#contents.get(message.id);
    if (content === undefined) return message;
    this.#contents.delete(message.id);
    return { ...message, result: { ...message.result, content } };
  }
}

function isComplete(result: CallToolResult | InputRequiredResult): result is CallToolResult {
  return 'content' in result;
}
