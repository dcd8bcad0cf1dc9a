import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One turn of the model: calls of tools, or words that end the conversation. */
export type Turn = { calls: { name: string; input: unknown }[] } | { text: string };

export interface ScriptedModel {
  /** Base URL without a path. */
  url: string;
  /** The bodies of all requests so far. */
  requests: Record<string, unknown>[];
  close(): Promise<void>;
}

/**
 * A local endpoint that plays a model by a script: one turn for each request, in the form of the API that was asked. Speaks the
 * Messages API of Anthropic, Responses and Chat Completions of OpenAI, and the gateway of the AI SDK. An `input` that is a text
 * is sent as it is: arguments that are no JSON.
 */
export async function startScriptedModel(turns: readonly Turn[]): Promise<ScriptedModel> {
  const requests: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await bodyOf(request)));
    const turn = turns[requests.length - 1] ?? { text: 'The script has ended.' };
    const answer = answers.find(({ path }) => request.url?.endsWith(path));
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.write(turn, requests.length) ?? {}));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => new Promise((closed) => server.close(() => closed())) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

const answers: { path: string; write(turn: Turn, step: number): object }[] = [
  { path: '/v1/messages', write: anthropicMessage },
  { path: '/responses', write: openaiResponse },
  { path: '/chat/completions', write: chatCompletion },
  { path: '/language-model', write: gatewayResult },
];

function callsOf(turn: Turn, step: number) {
  const calls = 'calls' in turn ? turn.calls : [];
  return calls.map(({ name, input }, index) => ({
    id: `call_${step}_${index}`,
    name,
    input,
    json: typeof input === 'string' ? input : JSON.stringify(input),
  }));
}

function anthropicMessage(turn: Turn, step: number): object {
  const calls = callsOf(turn, step).map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
  return {
    id: `msg_${step}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: 'text' in turn ? [{ type: 'text', text: turn.text }] : calls,
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function openaiResponse(turn: Turn, step: number): object {
  const words = 'text' in turn ? [{ type: 'output_text', text: turn.text, annotations: [] }] : [];
  const message = { type: 'message', id: `msg_${step}`, role: 'assistant', status: 'completed', content: words };
  const calls = callsOf(turn, step).map(({ id, name, json }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name,
    arguments: json,
    status: 'completed',
  }));
  return {
    id: `resp_${step}`,
    object: 'response',
    created_at: 0,
    model: 'scripted',
    status: 'completed',
    output: 'text' in turn ? [message] : calls,
  };
}

function chatCompletion(turn: Turn, step: number): object {
  const calls = callsOf(turn, step).map(({ id, name, json }) => ({
    id,
    type: 'function',
    function: { name, arguments: json },
  }));
  const message = {
    role: 'assistant',
    content: 'text' in turn ? turn.text : null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const reason = calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: `chat_${step}`,
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message, finish_reason: reason }],
  };
}

function gatewayResult(turn: Turn, step: number): object {
  const calls = callsOf(turn, step).map(({ id, name, json }) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: json,
  }));
  const reason = calls.length > 0 ? 'tool-calls' : 'stop';
  return {
    content: 'text' in turn ? [{ type: 'text', text: turn.text }] : calls,
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  };
}
