import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Catalog, openCatalog } from '../../src/catalog/index.ts';
import type { ServerSpec, ToolAnalyzer } from '../../src/model/index.ts';
import { createUpstream } from '../../src/upstream/index.ts';
import {
  baseEnv,
  fixtures,
  nodeModules,
  nodeServer,
  rawServer,
  readRecord,
  recordingLogger,
  temporaryFolder,
  until,
} from '../upstream/harness.ts';

const analyzer: ToolAnalyzer = {
  id: 'test',
  analyze: ({ toolName, description = '' }) => ({
    keywords: { name: toolName, title: '', description, parameters: '', server: '' },
    profile: new Uint8Array(),
    embeddingTexts: [`${toolName} ${description}`],
  }),
};

function open(servers: ServerSpec[], path: string) {
  const logger = recordingLogger();
  const catalog = openCatalog({ path, analyzer });
  catalog.configure(servers);
  const upstream = createUpstream({ servers, catalog, logger, baseEnv, clientInfo: { name: 'test', version: '0' } });
  const close = async () => {
    await upstream.close();
    catalog.close();
  };
  let isClosed = false;
  const closeOnce = async () => {
    if (!isClosed) await close();
    isClosed = true;
  };
  onTestFinished(closeOnce);
  return { catalog, upstream, close: closeOnce };
}

const toolOf = (catalog: Catalog, serverId: string, toolName: string) => {
  const tool = catalog.tool({ serverId, toolName });
  if (tool === undefined) throw new Error(`${toolName} is not in the catalog`);
  return tool;
};

describe('servers into the catalog', () => {
  it('lists real servers of both eras and calls one by its catalog entry', async () => {
    const folder = await temporaryFolder();
    const servers = [
      nodeServer('files', [join(nodeModules, '@modelcontextprotocol/server-filesystem/dist/index.js'), folder]),
      nodeServer('everything', [join(nodeModules, '@modelcontextprotocol/server-everything/dist/index.js')]),
      nodeServer('modern', [join(fixtures, 'modern-stdio.mjs')]),
    ].map((server, position) => ({ ...server, position }));
    const { catalog, upstream } = open(servers, join(folder, 'catalog.db'));
    const reports = await upstream.sync();
    expect(reports.map(({ state, error }) => [state, error])).toEqual(servers.map(() => ['ok', undefined]));
    expect(catalog.tools({ serverId: 'files' }).length).toBe(reports[0]?.tools);
    expect(catalog.servers().map(({ era }) => era?.era)).toEqual(['legacy', 'legacy', 'modern']);
    await upstream.call(toolOf(catalog, 'files', 'write_file'), { path: join(folder, 'a.txt'), content: 'hello' });
    const read = await upstream.call(toolOf(catalog, 'files', 'read_text_file'), { path: join(folder, 'a.txt') });
    expect(read).toMatchObject({ content: [{ type: 'text', text: 'hello' }] });
  });

  it('repairs what it can and hides nothing behind a broken tool', async () => {
    const tools = [
      { name: 'good', inputSchema: { type: 'object' } },
      { name: 'no_type', inputSchema: { properties: { a: { type: 'string' } } } },
      { name: 'broken', inputSchema: 7 },
      null,
    ];
    const servers = [rawServer('raw', { tools })];
    const { catalog, upstream } = open(servers, ':memory:');
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools: 2, added: 2, removed: 0 }]);
    expect(catalog.tool({ serverId: 'raw', toolName: 'good' })?.status).toBe('ok');
    expect(catalog.tool({ serverId: 'raw', toolName: 'no_type' })?.status).toBe('repaired');
  });

  it('has a tool that was added at run time in the catalog after the notice', async () => {
    const { catalog, upstream } = open([rawServer('raw')], ':memory:');
    await upstream.sync();
    const before = catalog.generation();
    await upstream.call(toolOf(catalog, 'raw', 'add_tool'), { name: 'late' });
    await until(() => catalog.tool({ serverId: 'raw', toolName: 'late' }), 'the tool');
    expect(catalog.generation()).toBeGreaterThan(before);
  });

  it('works from the catalog on disk after a restart, and starts a server only when it is called', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'catalog.db');
    const record = join(folder, 'record');
    const servers = [rawServer('raw', { record })];
    const first = open(servers, path);
    await first.upstream.sync();
    await first.close();
    const { catalog, upstream } = open(servers, path);
    upstream.refreshInBackground();
    const echo = toolOf(catalog, 'raw', 'echo');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const starts = () => readRecord(record).filter(({ pid }) => pid !== undefined).length;
    expect(starts()).toBe(1);
    await expect(upstream.call(echo, {})).resolves.toHaveProperty('content');
    expect(starts()).toBe(2);
    // The era was known: only the first start asked for it.
    expect(readRecord(record).filter(({ method }) => method === 'server/discover')).toHaveLength(1);
  });

  it('keeps the tools of a server that fails later, and marks them stale', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'catalog.db');
    const server = rawServer('raw');
    const first = open([server], path);
    await first.upstream.sync();
    await first.close();
    server.transport = { kind: 'stdio', command: '/no/such/command', args: [], env: {} };
    const { catalog, upstream } = open([server], path);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'failed', tools: 10 }]);
    expect(catalog.servers()[0]).toMatchObject({ stale: true, toolCount: 10 });
    expect(catalog.tools()).toHaveLength(10);
  });
});
