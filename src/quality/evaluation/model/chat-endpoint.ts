import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, ToolcribError } from '../../../errors/index.ts';
import {
  boundedText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ToolDefinition,
} from '../../../model/index.ts';
import { capText, cleanText } from '../../../render/index.ts';

/** An OpenAI-compatible endpoint for chat completions with tools. */
export interface ModelEndpoint {
  /** The URL that `/chat/completions` is put behind. */
  baseUrl: string;
  model: string;
  /** Sent as a bearer token. */
  apiKey?: string;
  /** For one answer. */
  timeoutMs: number;
}

export interface ChatToolCall {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

export interface ChatAnswer {
  /** '' where the model only calls tools. */
  content: string;
  toolCalls: ChatToolCall[];
  /** 0 where the endpoint does not say. */
  tokens: { input: number; output: number };
  /** To be put into the conversation as it came. */
  message: JsonObject;
}

export type Complete = (
  messages: readonly JsonObject[],
  tools: readonly ToolDefinition[],
  signal?: AbortSignal,
) => Promise<ChatAnswer>;

/** A completion takes some kilobytes; what is larger is none. */
const answerMaxBytes = 4 * 1024 * 1024;
const wordsMaxChars = 200;
/** Overloaded endpoints mostly answer after a moment. */
const retryDelaysMs = [1_000, 4_000];

/**
 * Asks the endpoint, again after a moment where it is overloaded. Throws `model_endpoint_failed`; its `details.isFinal` is true
 * where no other request will fare better.
 */
export function chatEndpoint(endpoint: ModelEndpoint): Complete {
  const url = `${endpoint.baseUrl.replace(/\/+$/, '')}/chat/completions`;
  return async (messages, tools, signal) => {
    for (let tries = 0; ; tries += 1) {
      const response = await request(url, endpoint, { messages, tools: tools.map(functionTool) }, signal);
      const waitMs = retryDelaysMs[tries];
      if (waitMs !== undefined && (response.status === 429 || response.status >= 500)) {
        await response.body?.cancel();
        await delay(waitMs, undefined, signal === undefined ? {} : { signal });
        continue;
      }
      if (!response.ok) throw refusal(url, response.status, await readText(url, response), endpoint.apiKey);
      return readAnswer(url, await readText(url, response));
    }
  };
}

function functionTool({ name, description, inputSchema }: ToolDefinition): JsonObject {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

async function request(
  url: string,
  { model, apiKey, timeoutMs }: ModelEndpoint,
  body: { messages: readonly JsonObject[]; tools: readonly JsonObject[] },
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, temperature: 0, ...body }),
      // Requests and key are meant for this address and no other.
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    const reason = isTimeout ? `did not answer within ${timeoutMs} ms` : `cannot be reached: ${causeOf(error)}`;
    throw failure(url, reason, !isTimeout);
  }
}

/** What `fetch` says is "fetch failed"; why stands in its cause. */
function causeOf(error: unknown): string {
  return messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

async function readText(url: string, response: Response): Promise<string> {
  const text = response.body === null ? '' : await boundedText(response.body, answerMaxBytes);
  if (text === undefined) throw failure(url, `answered with more than ${answerMaxBytes} bytes`, false);
  return text;
}

function refusal(url: string, status: number, text: string, apiKey: string | undefined): ToolcribError {
  const said = apiKey === undefined ? text : text.replaceAll(apiKey, '…');
  const words = capText(cleanText(said), wordsMaxChars);
  const isFinal = [400, 401, 403, 404, 405].includes(status);
  return failure(url, `answered ${status}${words === '' ? '' : `: ${words}`}`, isFinal);
}

function readAnswer(url: string, text: string): ChatAnswer {
  const body = parse(text);
  const choices = isJsonObject(body) && Array.isArray(body.choices) ? body.choices : [];
  const [choice] = choices;
  const message = isJsonObject(choice) && isJsonObject(choice.message) ? choice.message : undefined;
  if (!isJsonObject(body) || message === undefined) throw failure(url, 'gave no message in its answer', false);
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return {
    content: typeof message.content === 'string' ? message.content : '',
    toolCalls: calls.flatMap((call, at) => toolCall(call, at)),
    tokens: { input: usage(body, 'prompt_tokens'), output: usage(body, 'completion_tokens') },
    message: { ...message, role: 'assistant' },
  };
}

function toolCall(call: JsonValue, at: number): ChatToolCall[] {
  if (!isJsonObject(call) || !isJsonObject(call.function)) return [];
  const { name, arguments: args } = call.function;
  if (typeof name !== 'string') return [];
  const id = typeof call.id === 'string' ? call.id : `call-${at}`;
  return [{ id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args ?? {}) }];
}

function usage({ usage: counts }: JsonObject, field: string): number {
  const count = isJsonObject(counts) ? counts[field] : undefined;
  return typeof count === 'number' && Number.isFinite(count) ? count : 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The query of the URL may hold a key. */
function failure(url: string, what: string, isFinal: boolean): ToolcribError {
  const { origin, pathname } = new URL(url);
  return new ToolcribError('model_endpoint_failed', `${origin}${pathname} ${what}.`, { details: { isFinal } });
}
