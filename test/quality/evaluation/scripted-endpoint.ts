import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string | null }[];
  tools: { type: string; function: { name: string } }[];
}

/** What the model says next: words, or tools that it calls. */
export type Reply = string | { call: string; args: JsonObject | string }[] | { status: number; body: string };

export interface ScriptedEndpoint {
  baseUrl: string;
  requests: ChatRequest[];
  authorizations: (string | undefined)[];
}

/** An OpenAI-compatible endpoint on this machine whose model answers by a script; it counts 100 tokens read and 10 written a time. */
export async function startEndpoint(script: (request: ChatRequest) => Reply): Promise<ScriptedEndpoint> {
  const endpoint: ScriptedEndpoint = { baseUrl: '', requests: [], authorizations: [] };
  const server = createServer(async (request, response) => {
    endpoint.authorizations.push(request.headers.authorization);
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return void response.writeHead(404).end();
    const body = JSON.parse(await textOf(request)) as ChatRequest;
    endpoint.requests.push(body);
    answer(response, script(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  endpoint.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return endpoint;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function answer(response: ServerResponse, reply: Reply): void {
  if (typeof reply === 'object' && 'status' in reply) return void response.writeHead(reply.status).end(reply.body);
  const message =
    typeof reply === 'string'
      ? { role: 'assistant', content: reply }
      : { role: 'assistant', content: null, tool_calls: reply.map(toolCall) };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: 100, completion_tokens: 10 } }));
}

function toolCall({ call, args }: { call: string; args: JsonObject | string }, at: number) {
  return {
    id: `c${at}`,
    type: 'function',
    function: { name: call, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}
