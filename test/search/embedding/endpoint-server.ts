import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SeenRequest {
  path: string;
  authorization: string | undefined;
  body: { model: string; input: string[]; dimensions?: number };
}

/** Answers a request, or does nothing to let the default answer go out. */
export type Behaviour = (request: SeenRequest, response: ServerResponse, count: number) => boolean | undefined;

/** A vector of three values that depends on the text alone; its length is not 1. */
export function vectorOf(text: string): number[] {
  return [text.length + 1, text.charCodeAt(0) || 1, 3];
}

/** A local server that answers `/v1/embeddings` as OpenAI documents it, until `behave` has it otherwise. */
export async function startEndpoint(behave: Behaviour = () => undefined) {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming);
    requests.push(request);
    if (behave(request, response, requests.length)) return;
    const data = request.body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
    reply(response, 200, { object: 'list', model: request.body.model, data, usage: { prompt_tokens: 1 } });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () =>
    new Promise<void>((closed) => {
      server.closeAllConnections();
      server.close(() => closed());
    });
  onTestFinished(close);
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests, close };
}

export function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}

async function read(incoming: IncomingMessage): Promise<SeenRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as SeenRequest['body'];
  return { path: incoming.url ?? '', authorization: incoming.headers.authorization, body };
}
