import { afterAll, describe, expect, it } from 'vitest';
import { textOf } from '../fixtures/hosts/index.ts';
import { rawServer, Workspace } from './program.ts';

describe('what a host gets, and what is recorded of it', () => {
  const workspaces: Workspace[] = [];
  afterAll(async () => {
    for (const workspace of workspaces) await workspace.remove();
  });
  async function create(mode: 'direct' | 'discovery'): Promise<Workspace> {
    const workspace = await Workspace.create({ mode, mcpServers: { raw: rawServer() } });
    workspaces.push(workspace);
    await workspace.json('sync');
    return workspace;
  }

  it.each(['direct', 'discovery'] as const)('in %s mode, large results are cut and read on', async (mode) => {
    const workspace = await create(mode);
    const { host } = await workspace.serve('stdio', 'v2 modern');
    const call = (name: string, args: Record<string, unknown>) =>
      mode === 'direct' ? host.call(name, args) : host.call('call_tool', { name, arguments: args });
    const result = await call('raw__big', { bytes: 300_000 });
    const cut = result._meta?.['dev.toolcrib/cut'] as { handle: string; nextOffset: number };
    const page = await call('toolcrib__read_result', { handle: cut.handle, offset: cut.nextOffset, limit: 1_000 });
    expect(textOf(page)).toContain('x'.repeat(1_000));
    const lost = await call('toolcrib__read_result', { handle: 'r_of-somebody-else' });
    expect(textOf(lost)).toMatch(/^handle_expired: /);
  });

  it('another process reads what was called, also what failed alone', async () => {
    const workspace = await create('discovery');
    const { host } = await workspace.serve('stdio', 'v1');
    await host.call('call_tool', { name: 'raw__echo', arguments: { token: 'never-shown' } });
    await host.call('call_tool', { name: 'raw__nothing', arguments: {} });
    const read = async (...options: string[]) => (await workspace.json('log', ...options)) as Record<string, unknown>[];
    await expect.poll(() => read('--failed'), { timeout: 20_000 }).toMatchObject([{ outcome: 'unknown_tool' }]);
    const entries = await read();
    expect(entries.filter(({ kind }) => kind === 'spawn').length).toBeGreaterThan(0);
    const echo = entries.find(({ tool }) => tool === 'echo');
    expect(echo).toMatchObject({ caller: 'stdio', outcome: 'ok', arguments: '{"token":"[redacted]"}' });
    expect(echo?.requestId).toMatch(/^\d+$/);
  });
});
