import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { IngestReport, Progress, ServerSpec } from '../../src/model/index.ts';
import { fixtures, nodeServer, rawServer, spec, tool, until, upstreamOf } from './harness.ts';

const transports: { name: string; make: () => Promise<ServerSpec> }[] = [
  { name: 'stdio', make: async () => nodeServer('new', [join(fixtures, 'modern-stdio.mjs')]) },
  { name: 'HTTP', make: async () => spec('new', { kind: 'http', url: (await startHttp()).url, headers: {} }) },
];

describe.each(transports)('a 2026-07-28 server over $name', ({ name, make }) => {
  it('is found to be one, and is listed raw with its freshness', async () => {
    const { upstream, catalog } = upstreamOf([await make()]);
    // One has a header annotation that HTTP clients must refuse.
    const tools = name === 'HTTP' ? 6 : 7;
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok', tools }]);
    expect(catalog.row('new').verdicts).toMatchObject([{ era: 'modern', protocolVersion: '2026-07-28' }]);
    expect(catalog.row('new').era?.discover).toHaveProperty('supportedVersions');
    expect(catalog.row('new').raw[0]).toHaveProperty('x-own', 1);
    expect(catalog.row('new').lists[0]?.ttlMs).toBe(30_000);
  });

  it('tells of a tool that is added at run time', async () => {
    const { upstream } = upstreamOf([await make()]);
    const reports: IngestReport[] = [];
    upstream.on('toolsChanged', (report) => void reports.push(report));
    await upstream.sync();
    await upstream.call(tool('new', 'add_tool'), { name: 'late' });
    await until(() => reports.some(({ added }) => added.includes('late')), 'the new tool');
  });

  it('is called: metadata, mirrored headers, results of any shape, progress', async () => {
    const { upstream } = upstreamOf([await make()]);
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const meta = { 'com.example/x': 1 };
    const echo = await upstream.call(tool('new', 'echo', inputSchema), { region: 'eu' }, { meta });
    const seen = JSON.parse(String(echo.content[0]?.text));
    expect(seen.args).toEqual({ region: 'eu' });
    expect(seen.meta).toMatchObject(meta);
    if (name === 'HTTP') expect(seen.headers).toMatchObject({ 'mcp-name': 'echo', 'mcp-param-region': 'eu' });
    expect(echo._meta).toBeUndefined();
    await expect(upstream.call(tool('new', 'array'), {})).resolves.toMatchObject({ structuredContent: ['a', 'b'] });
    const ticks: Progress[] = [];
    await upstream.call(tool('new', 'progress'), {}, { onProgress: (tick) => void ticks.push(tick) });
    // Sent with the answer right behind them.
    expect(ticks).toEqual([{ progress: 1 }, { progress: 2 }, { progress: 3 }]);
  });

  it('has its errors passed on, and is cancelled', async () => {
    const { upstream } = upstreamOf([await make()]);
    await expect(upstream.call(tool('new', 'nothing'), {})).rejects.toMatchObject({
      code: 'upstream_error',
      details: { rpcCode: -32602 },
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const call = upstream.call(tool('new', 'hang'), {}, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect(upstream.call(tool('new', 'array'), {})).resolves.toHaveProperty('structuredContent');
  });
});

describe('a verdict that no longer holds', () => {
  it('is found out when an old server was replaced by one that knows no handshake', async () => {
    const { url } = await startHttp('modern-only');
    const { upstream, catalog } = upstreamOf([spec('new', { kind: 'http', url, headers: {} })]);
    catalog.row('new').era = { era: 'legacy', protocolVersion: '2025-11-25', decidedAt: Date.now() };
    await expect(upstream.call(tool('new', 'array'), {})).resolves.toHaveProperty('structuredContent');
    expect(catalog.row('new').era).toMatchObject({ era: 'modern' });
  });

  it('is found out when a new server was replaced by an old one', async () => {
    const { upstream, catalog } = upstreamOf([rawServer('old')]);
    catalog.row('old').era = { era: 'modern', protocolVersion: '2026-07-28', decidedAt: Date.now() };
    await expect(upstream.call(tool('old', 'echo'), {})).resolves.toHaveProperty('content');
    expect(catalog.row('old').era).toMatchObject({ era: 'legacy' });
  });
});

describe('an HTTP server that goes away', () => {
  it('is out of reach while it is down, without the call having run, and found when it is back', async () => {
    const first = await startHttp();
    const server = spec('new', { kind: 'http', url: first.url, headers: {} });
    const { upstream } = upstreamOf([server]);
    await upstream.call(tool('new', 'array'), {});
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    await expect(upstream.call(tool('new', 'array'), {})).rejects.toMatchObject({
      code: 'upstream_unavailable',
      details: { mayHaveRun: false },
    });
    server.transport = { kind: 'http', url: (await startHttp()).url, headers: {} };
    await expect(upstream.call(tool('new', 'array'), {})).resolves.toHaveProperty('structuredContent');
  });

  it('loses the call that was under way, and says that it may have run', async () => {
    const { url, process: http } = await startHttp();
    const { upstream } = upstreamOf([spec('new', { kind: 'http', url, headers: {} })]);
    await upstream.call(tool('new', 'array'), {});
    const call = upstream.call(tool('new', 'hang'), {});
    setTimeout(() => http.kill('SIGKILL'), 300);
    await expect(call).rejects.toMatchObject({ code: 'upstream_lost', details: { mayHaveRun: true } });
  });
});

async function startHttp(...args: string[]): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [join(fixtures, 'modern-http.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), process: child };
}
