import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { connectHost, type Host, textOf } from '../fixtures/hosts/index.ts';
import { isAlive, rawServer, readRecord, Workspace } from './program.ts';

const workspaces: Workspace[] = [];
afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});

async function create(mcpServers: object, more = {}): Promise<Workspace> {
  const workspace = await Workspace.create({ mode: 'discovery', mcpServers, ...more });
  workspaces.push(workspace);
  return workspace;
}

/** Five seconds is the promise. */
/** A stubborn server is given some seconds before it is killed, and the machine may be busy. */
const noChildOptions = { timeout: 15_000, interval: 50 };

describe.each(['stdio', 'http'] as const)('serve over %s', (kind) => {
  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('leaves no child when it gets %s', async (signal) => {
    const workspace = await create({});
    const record = workspace.path('record.jsonl');
    const servers = { polite: rawServer({ record }), rude: rawServer({ record, stubborn: true, grandchild: true }) };
    await workspace.writeConfig({ mode: 'discovery', mcpServers: servers });
    const { host, pid } = await workspace.serve(kind, 'v1');
    for (const server of Object.keys(servers)) {
      await expect.poll(async () => textOf(await pidCall(host, server)), { timeout: 15_000 }).toMatch(/^\d+$/);
    }
    const children = (await readRecord(record)).flatMap((entry) => [entry.pid, entry.grandchild].filter(Number));
    expect(children.length).toBeGreaterThanOrEqual(3);
    // Also what toolcrib starts for itself, such as the watchdog.
    children.push(...(await directChildren(pid)));
    process.kill(pid, signal);
    await expect.poll(() => children.filter((child) => isAlive(Number(child))), noChildOptions).toEqual([]);
    await expect.poll(() => isAlive(pid), noChildOptions).toBe(false);
  });
});

/** Linux tells; elsewhere the servers' own records have to do. */
async function directChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

function pidCall(host: Host, server: string) {
  return host.call('call_tool', { name: `${server}__pid`, arguments: {} });
}

describe('serve on stdio', () => {
  it('ends by itself, with its children, when the host closes its end', async () => {
    const workspace = await create({});
    const record = workspace.path('record.jsonl');
    await workspace.writeConfig({ mode: 'discovery', mcpServers: { raw: rawServer({ record }) } });
    const child = workspace.serveRaw();
    await expect.poll(async () => (await readRecord(record)).length, { timeout: 15_000 }).toBeGreaterThan(1);
    child.stdin?.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    const pids = (await readRecord(record)).flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : []));
    await expect.poll(() => pids.filter(isAlive), noChildOptions).toEqual([]);
  });

  it('writes nothing but messages to stdout, whatever its servers print', async () => {
    const raw = rawServer({ noise: ['hello', '{"level":"info"}'], stderr: 'on stderr' });
    const workspace = await create({ raw, dead: { command: 'does-not-exist' } });
    const child = workspace.serveRaw('--log-level', 'debug');
    let stdout = '';
    child.stdout?.on('data', (chunk) => {
      stdout += chunk;
    });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({ id: 1, method: 'initialize', params });
    send({
      id: 2,
      method: 'tools/call',
      params: { name: 'call_tool', arguments: { name: 'raw__pid', arguments: {} } },
    });
    await expect.poll(() => stdout, { timeout: 15_000 }).toContain('"id":2');
    child.stdin?.end();
    await once(child, 'close');
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ['2.0', 1],
      ['2.0', 2],
    ]);
  });

  it('searches the catalog on disk while its server never answers', async () => {
    const workspace = await create({});
    const script = workspace.path('server.mjs');
    const [fixture = '', settings = ''] = rawServer().args;
    await writeFile(
      script,
      `process.argv[2] = ${JSON.stringify(settings)};\nawait import(${JSON.stringify(fixture)});\n`,
    );
    const mcpServers = { raw: { command: process.execPath, args: [script] } };
    await workspace.writeConfig({ mode: 'discovery', mcpServers });
    await workspace.json('sync');
    await writeFile(script, 'process.stdin.resume();\n');
    const { host } = await workspace.serve('stdio', 'v2 modern');
    expect(textOf(await host.call('search_tools', { query: 'echo' }))).toContain('raw__echo');
    expect(textOf(await host.call('describe_tool', { name: 'raw__echo' }))).toContain('raw__echo');
  });
});

describe('serve over HTTP', () => {
  it('serves hosts of all generations at once', async () => {
    const workspace = await create({ raw: rawServer() });
    await workspace.json('sync');
    const { url } = await workspace.serveHttp();
    const hosts = await Promise.all(
      (['v1', 'v2 legacy', 'v2 modern'] as const).map((generation) => connectHost(generation, { kind: 'http', url })),
    );
    const pids = await Promise.all(hosts.map(async (host) => textOf(await pidCall(host, 'raw'))));
    expect(new Set(pids).size).toBe(1);
    await Promise.all(hosts.map((host) => host.close()));
  });

  it('refuses an address that others could reach, and a port that is taken', async () => {
    const workspace = await create({});
    const refused = await workspace.cli('serve', '--http', '0', '--host', '0.0.0.0', '--json');
    expect([refused.code, JSON.parse(refused.stderr).error.code]).toEqual([2, 'address_refused']);
    const { url } = await workspace.serveHttp();
    const taken = await workspace.cli('serve', '--http', new URL(url).port, '--json');
    expect([taken.code, JSON.parse(taken.stderr).error.code]).toEqual([2, 'port_in_use']);
  });
});
