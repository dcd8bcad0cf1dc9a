import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AuditEntry, ToolListing } from '../../src/model/index.ts';
import { hasTerminal } from '../fixtures/terminal.ts';
import { rawServer, Workspace } from './program.ts';

/** Each test starts several processes; on a busy machine that takes its time. */
vi.setConfig({ testTimeout: 180_000 });

const workspaces: Workspace[] = [];
afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});

async function create(config: object = {}): Promise<Workspace> {
  const workspace = await Workspace.create({ embedding: 'none', mcpServers: { raw: rawServer() }, ...config });
  workspaces.push(workspace);
  await workspace.json('sync');
  return workspace;
}

const waitOptions = { timeout: 60_000, interval: 50 };

describe('toolcrib log --follow', () => {
  it('shows what other processes record while it runs, and ends well when it is interrupted', async () => {
    const workspace = await create();
    await workspace.cli('call', 'raw__echo', '--args', 'text=before');
    const { child, result } = workspace.start('log', '--follow', '--json', '--server', 'raw');
    let seen = '';
    child.stdout?.on('data', (chunk) => {
      seen += chunk;
    });
    const calls = () =>
      seen
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as AuditEntry)
        .filter(({ kind }) => kind === 'call')
        .map((entry) => entry.arguments);
    await expect.poll(calls, waitOptions).toEqual(['{"text":"before"}']);
    await workspace.cli('call', 'raw__echo', '--args', 'text=after');
    await expect.poll(calls, waitOptions).toEqual(['{"text":"before"}', '{"text":"after"}']);
    child.kill('SIGINT');
    expect(await result).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(hasTerminal)('writes a line each on a terminal, until Ctrl-C', async () => {
    const workspace = await create();
    const following = workspace.startInTerminal('log', '--follow', '--failed');
    await workspace.cli('call', 'raw__echo', '--args', 'text=fine');
    await workspace.cli('call', 'raw__crash');
    await expect.poll(following.screen, waitOptions).toContain('upstream_timeout_unknown_outcome');
    expect(following.screen()).not.toContain('fine');
    following.interrupt();
    expect(await following.exitCode).toBe(0);
  });
});

describe.runIf(hasTerminal)('a person at a terminal', () => {
  const quarantined = { mcpServers: { raw: { ...rawServer(), trust: 'quarantine' } } };
  const statusOf = async (workspace: Workspace) =>
    (await workspace.json<ToolListing[]>('list', 'tools')).find(({ tool }) => tool === 'echo')?.status;

  it.each([
    ['y', 0, 'ok'],
    ['yes', 0, 'ok'],
    ['n', 1, 'quarantined'],
    ['', 1, 'quarantined'],
  ])('accepts a definition or not: %j', async (answer, exitCode, status) => {
    const workspace = await create(quarantined);
    const approving = workspace.startInTerminal('approve', 'raw__echo');
    await expect.poll(approving.screen, waitOptions).toContain('Accept 1 definition? [y/N]');
    expect(approving.screen()).toContain('raw__echo');
    approving.type(answer);
    expect(await approving.exitCode).toBe(exitCode);
    expect(await statusOf(workspace)).toBe(status);
  });

  it('accepts nothing by an interrupt, and nothing through a pipe', async () => {
    const workspace = await create(quarantined);
    const approving = workspace.startInTerminal('approve', 'raw__echo');
    await expect.poll(approving.screen, waitOptions).toContain('[y/N]');
    approving.interrupt();
    expect(await approving.exitCode).not.toBe(0);
    const piped = await workspace.cli('approve', 'raw__echo', '--yes', '--json');
    expect(JSON.parse(piped.stderr)).toMatchObject({ error: { code: 'terminal_required' } });
    expect(await statusOf(workspace)).toBe('quarantined');
  });

  it('grants a call by its id', async () => {
    const workspace = await create({ policy: [{ action: 'ask' }] });
    await workspace.cli('call', 'raw__echo', '--args', 'text=x');
    const [waiting] = await workspace.json<{ id: string }[]>('approvals', 'list');
    const granting = workspace.startInTerminal('approvals', 'grant', String(waiting?.id));
    await expect.poll(granting.screen, waitOptions).toContain('Allow this call once? [y/N]');
    granting.type('y');
    expect(await granting.exitCode).toBe(0);
    const { code, stdout } = await workspace.cli('call', 'raw__echo', '--args', 'text=x');
    expect([code, stdout]).toEqual([0, expect.stringContaining('x')]);
  });
});
