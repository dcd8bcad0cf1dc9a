import { isJsonObject } from '../model/index.ts';

type RequestId = string | number;

/**
 * The ids of a session's requests that are not answered yet. Answers find their request by its id alone, so that two
 * requests with one id would get each other's (MCP "Base Protocol": an id is used once in a session).
 */
export class RunningIds {
  readonly #ids = new Set<RequestId>();

  /** Takes the ids of a message, or of a batch of the older revisions. Takes none, and gives the first, where one is in use. */
  take(body: unknown): RequestId | undefined {
    const ids = requestIds(body);
    const taken = ids.find((id, place) => this.#ids.has(id) || ids.indexOf(id) < place);
    if (taken === undefined) for (const id of ids) this.#ids.add(id);
    for (const message of messagesOf(body)) this.#forgetCancelled(message);
    return taken;
  }

  /** Of a body that no request was read from. */
  forget(body: unknown): void {
    for (const id of requestIds(body)) this.#ids.delete(id);
  }

  /** Of a message that is sent to the host. */
  answered(message: unknown): void {
    if (isJsonObject(message) && !('method' in message)) for (const id of idOf(message)) this.#ids.delete(id);
  }

  /** A cancelled request is never answered. */
  #forgetCancelled({ method, params }: Message): void {
    if (method !== 'notifications/cancelled' || !isJsonObject(params)) return;
    for (const id of idOf({ id: params.requestId })) this.#ids.delete(id);
  }
}

interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

function requestIds(body: unknown): RequestId[] {
  return messagesOf(body).flatMap((message) => (typeof message.method === 'string' ? idOf(message) : []));
}

function messagesOf(body: unknown): Message[] {
  return (Array.isArray(body) ? body : [body]).filter(isJsonObject);
}

function idOf({ id }: Message): RequestId[] {
  return typeof id === 'string' || typeof id === 'number' ? [id] : [];
}
