import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCatalog } from '../../src/catalog/index.ts';
import type { ServerSpec } from '../../src/model/index.ts';
import { createToolAnalyzer } from '../../src/search/index.ts';
import { createUpstream } from '../../src/upstream/index.ts';
import { baseEnv, recordingLogger, spec, temporaryFolder } from '../upstream/harness.ts';

/** A 2026-07-28 server that lists other tools for each token, and says so. */
async function serverOfManyLists(cacheScope: 'private' | 'public' | undefined = 'private'): Promise<string> {
  const http = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const who = (request.headers.authorization ?? 'nobody').replace('Bearer ', '');
    const freshness = { ttlMs: 60_000, ...(cacheScope === undefined ? {} : { cacheScope }) };
    const tools = ['shared', `of_${who}`].map((name) => ({ name, inputSchema: { type: 'object' } }));
    const discover = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'public' };
    const result = { resultType: 'complete', ...(method === 'tools/list' ? { tools, ...freshness } : discover) };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}

/** A toolcrib of its own over the catalog file. */
function open(path: string, server: ServerSpec) {
  const catalog = openCatalog({ path, analyzer: createToolAnalyzer() });
  catalog.configure([server]);
  const clientInfo = { name: 'test', version: '0' };
  const logger = recordingLogger();
  const upstream = createUpstream({ servers: [server], catalog, logger, baseEnv, clientInfo });
  onTestFinished(async () => {
    await upstream.close();
    catalog.close();
  });
  return { catalog, upstream, names: () => catalog.tools().map(({ toolName }) => toolName) };
}

const withToken = (url: string, token: string) =>
  spec('srv', { kind: 'http', url, headers: { Authorization: `Bearer ${token}` } });

describe('lists that depend on the token', () => {
  it.each([{ scope: 'private' as const }, { scope: undefined }])(
    'are shown to nobody with another one ($scope)',
    async ({ scope }) => {
      const url = await serverOfManyLists(scope);
      const path = join(await temporaryFolder(), 'catalog.db');
      const alice = open(path, withToken(url, 'alice'));
      await alice.upstream.sync();
      expect(alice.names()).toEqual(['of_alice', 'shared']);
      const bob = open(path, withToken(url, 'bob'));
      expect(bob.names()).toEqual([]);
      await bob.upstream.sync();
      expect(bob.names()).toEqual(['of_bob', 'shared']);
      expect(alice.names()).toEqual(['of_alice', 'shared']);
      // The next start of each finds its own list on disk.
      expect(open(path, withToken(url, 'alice')).names()).toEqual(['of_alice', 'shared']);
      expect(open(path, withToken(url, 'bob')).names()).toEqual(['of_bob', 'shared']);
    },
  );

  it('and say that they are public are one list for all', async () => {
    const url = await serverOfManyLists('public');
    const path = join(await temporaryFolder(), 'catalog.db');
    await open(path, withToken(url, 'alice')).upstream.sync();
    expect(open(path, withToken(url, 'bob')).names()).toEqual(['of_alice', 'shared']);
  });
});
