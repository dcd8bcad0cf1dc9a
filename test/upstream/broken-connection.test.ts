import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { spec, tool, upstreamOf } from './harness.ts';

/** A 2026-07-28 server that cuts the connection at the first request of `method`. */
async function serverThatCuts(method: string) {
  const seen: string[] = [];
  const server = createServer(async (http, response) => {
    let body = '';
    for await (const chunk of http) body += chunk;
    const request = JSON.parse(body) as { id: number; method: string };
    seen.push(request.method);
    if (request.method === method && seen.filter((one) => one === method).length === 1) return http.socket.destroy();
    const fresh = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' };
    const results: Record<string, object> = {
      'server/discover': { ...fresh, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/list': { ...fresh, tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
      'tools/call': { resultType: 'complete', content: [] },
    };
    const result = results[request.method];
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { server: spec('new', { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} }), seen };
}

it.each(['server/discover', 'tools/list'])('a connection that is cut at %s is opened again', async (method) => {
  const { server, seen } = await serverThatCuts(method);
  const { upstream } = upstreamOf([server]);
  await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools: 1 }]);
  expect(seen.filter((one) => one === method)).toHaveLength(2);
});

it('a call that is cut off is not made twice', async () => {
  const { server, seen } = await serverThatCuts('tools/call');
  const { upstream } = upstreamOf([server]);
  await expect(upstream.call(tool('new', 'go'), {})).rejects.toMatchObject({
    code: 'upstream_lost',
    details: { mayHaveRun: true },
  });
  expect(seen.filter((one) => one === 'tools/call')).toHaveLength(1);
});
