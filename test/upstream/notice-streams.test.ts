import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spec, until, upstreamOf } from './harness.ts';

/** A server of the handshake era that declares change notices, and has a stream for them or not. */
async function announcingServer(hasStream: boolean) {
  const streams: ServerResponse[] = [];
  let lists = 0;
  const tools = [{ name: 'a', inputSchema: { type: 'object' } }];
  const results: Record<string, () => object> = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'x', version: '1' },
    }),
    'tools/list': () => {
      lists += 1;
      return { tools };
    },
  };
  const http = createServer(async (request, response) => {
    if (request.method === 'GET' && hasStream) {
      streams.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return;
    }
    if (request.method !== 'POST') return response.writeHead(405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    const result = results[method]?.();
    if (id === undefined) return response.writeHead(202).end();
    if (result === undefined) return response.writeHead(400).end('what?');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return {
    server: spec('srv', {
      kind: 'http',
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
      headers: {},
    }),
    streams,
    lists: () => lists,
    announce: () => {
      const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      for (const stream of streams) stream.write(`event: message\ndata: ${notice}\n\n`);
    },
  };
}

describe('a list that its server of the handshake era declares to watch over HTTP', () => {
  it('does not age while the stream of notices is open', async () => {
    const { server, streams, lists, announce } = await announcingServer(true);
    const { upstream, catalog } = upstreamOf([server]);
    await upstream.sync();
    await until(() => streams.length === 1, 'the stream');
    catalog.row('srv').listedAt = Date.now() - 11 * 60_000;
    await new Promise((resolve) => setTimeout(resolve, 100));
    upstream.refreshInBackground();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(lists()).toBe(1);
    announce();
    await until(() => lists() === 2, 'a list after the notice');
  });

  it('ages where the server refuses the stream', async () => {
    const { server, lists } = await announcingServer(false);
    const { upstream, catalog } = upstreamOf([server]);
    await upstream.sync();
    catalog.row('srv').listedAt = Date.now() - 11 * 60_000;
    await new Promise((resolve) => setTimeout(resolve, 100));
    upstream.refreshInBackground();
    await until(() => lists() === 2, 'another list');
  });
});
