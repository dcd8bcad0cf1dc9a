import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolcrib } from '../../src/index.ts';
import { fixtureServer } from '../fixtures/servers/start.ts';
import { rawServer, readRecord, spec, temporaryFolder, tool, until, upstreamOf } from '../upstream/harness.ts';

const mebibyte = 1024 * 1024;

describe('an answer of 50 MB', () => {
  it('is cut for the model, and the rest is there to be read', { timeout: 120_000 }, async () => {
    const crib = createToolcrib({
      embedding: 'none',
      mcpServers: { s: { command: process.execPath, args: [fixtureServer('raw-server.mjs')] } },
    });
    onTestFinished(() => crib.close());
    await crib.sync();
    const result = await crib.call('s__big', { bytes: 50 * mebibyte });
    const text = String(result.content[0]?.text);
    expect(text.length).toBeLessThan(mebibyte);
    expect(JSON.stringify(result)).toContain('toolcrib__read_result');
    expect((await crib.call('s__echo', { text: 'next' })).content).toEqual([{ type: 'text', text: '{"text":"next"}' }]);
  });
});

describe('a list without measure', () => {
  it('of 10,000 pages is given up after a thousand, and the last good one stays', { timeout: 120_000 }, async () => {
    const record = join(await temporaryFolder(), 'record');
    const server = (settings: object) => rawServer('s', { record, ...settings }, { connectTimeoutMs: 60_000 });
    const first = upstreamOf([server({ toolCount: 3 })]);
    await first.upstream.sync();
    await first.upstream.close();
    const { upstream } = upstreamOf([server({ toolCount: 10_000, pageSize: 1 })], { catalog: first.catalog });
    expect(await upstream.sync()).toMatchObject([
      { state: 'failed', tools: 3, error: expect.stringContaining('pages') },
    ]);
    expect(readRecord(record).filter(({ method }) => method === 'tools/list').length).toBeLessThan(1_100);
    expect(first.catalog.row('s')).toMatchObject({ stale: true, toolCount: 3 });
  });

  it.each([
    [100_000, 'ok', 100_000],
    [100_001, 'failed', 0],
  ])('of %i tools is %s', { timeout: 120_000 }, async (toolCount, state, tools) => {
    const { upstream } = upstreamOf([rawServer('s', { toolCount }, { connectTimeoutMs: 60_000 })]);
    expect(await upstream.sync()).toMatchObject([{ state, tools }]);
  });
});

describe('answers that belong to nobody', () => {
  it.each([
    ['an id that was never given', '{"jsonrpc":"2.0","id":999999,"result":{"content":[]}}'],
    ['no id', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'],
    ['an id of another kind', '{"jsonrpc":"2.0","id":{"a":1},"result":{"content":[]}}'],
    ['a request of its own', '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}'],
    ['half a message', '{"jsonrpc":"2.0","id":'],
    ['bytes that are no text', '\u0000\ufffd\u001b[2J'],
  ])('%s leaves the call without one, and the server in use', async (_what, line) => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('s', { record }, { timeoutMs: 400 })]);
    await upstream.call(tool('s', 'echo'), {});
    await expect(upstream.call(tool('s', 'answer'), { line })).rejects.toMatchObject({
      code: 'upstream_timeout_unknown_outcome',
      details: { mayHaveRun: true },
    });
    await expect(upstream.call(tool('s', 'echo'), {})).resolves.toHaveProperty('content');
    expect(readRecord(record).filter(({ pid }) => pid !== undefined)).toHaveLength(1);
  });
});

/** A server over HTTP that answers every request for a tool with one status. */
async function stormyServer(status: number, headers: Record<string, string> = {}) {
  const seen: string[] = [];
  const storm = { isOver: false };
  const answer = (response: ServerResponse, id: unknown, result: object) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const server = createServer(async (http, response) => {
    let body = '';
    for await (const chunk of http) body += chunk;
    if (http.method !== 'POST') return response.writeHead(405).end();
    const { id, method } = JSON.parse(body);
    seen.push(method);
    if (method === 'server/discover') return response.writeHead(400).end('what?');
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'initialize') {
      const serverInfo = { name: 'stormy', version: '1' };
      return answer(response, id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo });
    }
    if (!storm.isOver) return response.writeHead(status, headers).end('busy');
    return answer(
      response,
      id,
      method === 'tools/list' ? { tools: [{ name: 't', inputSchema: { type: 'object' } }] } : { content: [] },
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen, storm };
}

describe.each([
  [429, 'upstream_unavailable', false],
  [500, 'upstream_error', true],
])('a server that answers everything with %i', (status, code, mayHaveRun) => {
  it('gets each call once, is listed no more often than it should be, and is used again afterwards', async () => {
    const { url, seen, storm } = await stormyServer(status, { 'retry-after': '0' });
    const { upstream, catalog } = upstreamOf([spec('s', { kind: 'http', url, headers: {} })]);
    for (let call = 0; call < 20; call += 1) {
      await expect(upstream.call(tool('s', 't'), {})).rejects.toMatchObject({ code, details: { mayHaveRun } });
    }
    expect(seen.filter((method) => method === 'tools/call')).toHaveLength(20);
    for (let look = 0; look < 50; look += 1) upstream.refreshInBackground();
    await until(() => catalog.row('s').failures.length > 0, 'the failed list');
    expect(seen.filter((method) => method === 'tools/list').length).toBeLessThan(4);
    storm.isOver = true;
    expect(await upstream.sync()).toMatchObject([{ state: 'ok', tools: 1 }]);
    await expect(upstream.call(tool('s', 't'), {})).resolves.toHaveProperty('content');
  });
});
