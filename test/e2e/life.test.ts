import { afterEach, describe, expect, it } from 'vitest';
import { type Host, textOf } from '../fixtures/hosts/index.ts';
import { isAlive, rawServer, readRecord, Workspace } from './program.ts';

const pollOptions = { timeout: 15_000, interval: 50 };
const workspaces: Workspace[] = [];
afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});

async function create(
  config: (record: string) => object,
): Promise<{ workspace: Workspace; pids(): Promise<number[]> }> {
  const workspace = await Workspace.create({});
  workspaces.push(workspace);
  const record = workspace.path('record.jsonl');
  await workspace.writeConfig(config(record));
  const pids = async () => (await readRecord(record)).flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : []));
  return { workspace, pids };
}

const pidOf = async (host: Host, name = 'call_tool') =>
  Number(textOf(await host.call(name, name === 'call_tool' ? { name: 'raw__pid', arguments: {} } : {})));

describe('idleTimeoutMs', () => {
  it('ends the process of a server that nobody calls, and the next call starts it again', async () => {
    const { workspace } = await create((record) => ({
      mode: 'discovery',
      mcpServers: { raw: { ...rawServer({ record }), idleTimeoutMs: 400 } },
    }));
    const { host } = await workspace.serve('stdio', 'v1');
    const first = await pidOf(host);
    await expect.poll(() => isAlive(first), pollOptions).toBe(false);
    const found = textOf(await host.call('search_tools', { query: 'echo' }));
    expect(found).toContain('raw__echo');
    expect(found).not.toContain('fail');
    expect(await pidOf(host)).not.toBe(first);
  });

  it('leaves a server alone in direct mode while a host is connected that it tells of changes', async () => {
    const { workspace } = await create((record) => ({
      mode: 'direct',
      limits: { idleTimeoutMs: 300 },
      mcpServers: { raw: rawServer({ record }), quiet: rawServer({ listChanged: false }) },
    }));
    await workspace.json('sync');
    const { host } = await workspace.serve('stdio', 'v2 modern');
    const [watched, quiet] = [await pidOf(host, 'raw__pid'), await pidOf(host, 'quiet__pid')];
    await expect.poll(() => isAlive(quiet), pollOptions).toBe(false);
    expect(isAlive(watched)).toBe(true);
  });
});

describe('two toolcribs over one config', () => {
  it('have servers of their own, and one goes on when the other is killed', async () => {
    const { workspace, pids } = await create((record) => ({
      mode: 'discovery',
      mcpServers: { raw: rawServer({ record }) },
    }));
    const [one, two] = [await workspace.serve('stdio', 'v1'), await workspace.serve('stdio', 'v2 modern')];
    const [first, second] = [await pidOf(one.host), await pidOf(two.host)];
    expect(first).not.toBe(second);
    process.kill(one.pid, 'SIGKILL');
    await expect.poll(() => isAlive(first), pollOptions).toBe(false);
    expect(await pidOf(two.host)).toBe(second);
    expect(textOf(await two.host.call('search_tools', { query: 'echo' }))).toContain('raw__echo');
    expect(await pids()).toHaveLength(2);
  });
});
