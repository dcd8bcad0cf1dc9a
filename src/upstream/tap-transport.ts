import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { isJsonObject, isNestedDeeper, type JsonObject } from '../model/index.ts';
import { nestingMaxLevels } from './nesting.ts';

type RequestId = string | number;

/** Where a result that went through the tap carries what the server sent. */
const rawKey = 'dev.toolcrib/raw';

/** Data of the error by which the tap answers a request whose stream ended without a response. */
export const streamEnded = Object.freeze({ streamEnded: true });

/** JSON-RPC "Internal error", for answers that are errors without a valid code. */
const internalError = -32603;

/** For each method, a result that the SDK's schemas of every protocol revision accept. */
const harmlessResults: Record<string, JsonObject> = {
  'tools/list': { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
  'resources/read': { resultType: 'complete', contents: [], ttlMs: 0, cacheScope: 'private' },
  'tools/call': { resultType: 'complete', content: [] },
};

/**
 * Transport decorator that hides the results of `tools/list`, `tools/call` and `resources/read` from the SDK's schemas, which reject a
 * whole list for one malformed tool and a whole result for one unknown content block. The SDK gets a harmless result
 * that carries the raw one; `rawResult` takes it out again.
 */
export class TapTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream?: boolean;
  readonly #inner: Transport;
  readonly #methods = new Map<RequestId, string>();
  #messagesReceived = 0;

  constructor(inner: Transport) {
    this.#inner = inner;
    if (inner.hasPerRequestStream !== undefined) this.hasPerRequestStream = inner.hasPerRequestStream;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** Since the start, of any kind. */
  get messagesReceived(): number {
    return this.#messagesReceived;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#inner.setSupportedProtocolVersions?.(versions);
  }

  async start(): Promise<void> {
    // The SDK handles notifications a moment later than responses, and drops the progress of a call that is answered.
    // Answers, and the close after them, therefore wait for one turn of the event loop.
    this.#inner.onclose = () => void setImmediate(() => this.onclose?.());
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message, extra) => {
      this.#messagesReceived += 1;
      const received = this.#received(message);
      if ('method' in received) this.onmessage?.(received, extra);
      else setImmediate(() => this.onmessage?.(received, extra));
    };
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id === undefined) {
      this.#forgetCancelled(message);
      return this.#inner.send(message, options);
    }
    this.#methods.set(id, 'method' in message ? message.method : '');
    try {
      await this.#inner.send(message, { onRequestStreamEnd: () => this.#streamEnded(id), ...options });
    } catch (error) {
      this.#methods.delete(id);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #received(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message || !('id' in message) || message.id === undefined || message.id === null) return message;
    const id = this.#ourId(message.id);
    const method = this.#methods.get(id);
    if (method === undefined) return message;
    this.#methods.delete(id);
    if ('error' in message) return withValidCode(id, message.error);
    const harmless = harmlessResults[method];
    if (harmless === undefined || !('result' in message)) return { ...message, id };
    return { jsonrpc: '2.0', id, result: { ...harmless, _meta: { [rawKey]: message.result } } };
  }

  /** Some servers answer request 5 as "5". */
  #ourId(id: RequestId): RequestId {
    const isOurs = this.#methods.has(id) || typeof id !== 'string' || id.trim() === '';
    return isOurs || !this.#methods.has(Number(id)) ? id : Number(id);
  }

  /** Answers a request that still waits with an error; `data` is found again in the `ProtocolError`. */
  fail(id: unknown, message: string, data: unknown): void {
    if ((typeof id !== 'string' && typeof id !== 'number') || !this.#methods.delete(id)) return;
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: internalError, message, data } });
  }

  /** Without this a request whose HTTP response broke off would wait for its timeout. */
  #streamEnded(id: RequestId): void {
    this.fail(id, 'The response ended early.', streamEnded);
  }

  #forgetCancelled(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const id = message.params?.requestId;
    if (typeof id === 'string' || typeof id === 'number') this.#methods.delete(id);
  }
}

/**
 * The tap over a pipe. The SDK tells pipes from HTTP by these two properties: on a pipe it takes a server that keeps
 * silent when asked for its revision as an old one, on HTTP as an outage.
 */
export class StdioTapTransport extends TapTransport {
  readonly pid = undefined;
  readonly stderr = null;
}

/** The result as the server sent it. */
export function rawResult(result: { _meta?: unknown }): unknown {
  return isJsonObject(result._meta) ? result._meta[rawKey] : undefined;
}

/** The SDK drops an error whose code is no integer, and the call would wait for its timeout. */
function withValidCode(id: RequestId, error: unknown): JSONRPCMessage {
  const { code, message, data } = isJsonObject(error) ? error : { code: undefined, message: error, data: undefined };
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: typeof code === 'number' && Number.isInteger(code) ? code : internalError,
      message: typeof message === 'string' ? message : textOf(error),
      ...(data === undefined || isNestedDeeper(data, nestingMaxLevels) ? {} : { data }),
    },
  };
}

function textOf(error: unknown): string {
  if (isNestedDeeper(error, nestingMaxLevels)) return 'an error that is nested too deep to show';
  return JSON.stringify(error ?? null);
}
