import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { spec, tool, upstreamOf } from './harness.ts';

const schemaWith = (header: string) => ({
  type: 'object',
  properties: { zone: { type: 'string', 'x-mcp-header': header } },
});

/** A 2026-07-28 server whose tool demands `Mcp-Param-New`, and that lists the header of `listed`. */
async function serverThatDemandsNew(listed: () => string) {
  const methods: string[] = [];
  const server = createServer(async (http, response) => {
    let body = '';
    for await (const chunk of http) body += chunk;
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    methods.push(method);
    const answer = (status: number, part: JsonObject) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...part }));
    const freshness = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' };
    if (method === 'server/discover') {
      return answer(200, {
        result: { ...freshness, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      });
    }
    if (method === 'tools/list') {
      return answer(200, { result: { ...freshness, tools: [{ name: 'go', inputSchema: schemaWith(listed()) }] } });
    }
    if (http.headers['mcp-param-new'] === 'eu') {
      return answer(200, { result: { resultType: 'complete', content: [{ type: 'text', text: 'went' }] } });
    }
    answer(400, { error: { code: -32020, message: 'The headers do not match the body.' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const calls = () => methods.filter((method) => method === 'tools/call').length;
  const lists = () => methods.filter((method) => method === 'tools/list').length;
  return { url, calls, lists };
}

describe('a call whose headers the server refuses', () => {
  it('is made once more by what the server lists now', async () => {
    let listed = 'Old';
    const { url, calls, lists } = await serverThatDemandsNew(() => listed);
    const { upstream } = upstreamOf([spec('new', { kind: 'http', url, headers: {} })]);
    await upstream.sync();
    listed = 'New';
    const result = await upstream.call(tool('new', 'go', schemaWith('Old')), { zone: 'eu' });
    expect(result.content).toEqual([{ type: 'text', text: 'went' }]);
    expect([calls(), lists()]).toEqual([2, 2]);
  });

  it('fails when that does not help, without having run', async () => {
    const { url, calls } = await serverThatDemandsNew(() => 'Old');
    const { upstream } = upstreamOf([spec('new', { kind: 'http', url, headers: {} })]);
    await upstream.sync();
    await expect(upstream.call(tool('new', 'go', schemaWith('Old')), { zone: 'eu' })).rejects.toMatchObject({
      code: 'upstream_error',
      details: { rpcCode: -32020, mayHaveRun: false },
    });
    expect(calls()).toBe(2);
  });
});
