import { afterAll, describe, expect, it } from 'vitest';
import { rawServer, Workspace } from './program.ts';

/**
 * The line with which `serve` answers `tools/list`, byte for byte: prompt caches of model providers live on it.
 */
async function listLine(workspace: Workspace): Promise<string> {
  const child = workspace.serveRaw();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/list' });
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    const line = text.split('\n').find((part) => part.includes('"id":2'));
    if (line !== undefined && text.endsWith('\n')) {
      child.stdin?.end();
      return line;
    }
  }
  throw new Error(`serve ended without an answer: ${text}`);
}

describe('the tool list in discovery mode', () => {
  const workspaces: Workspace[] = [];
  afterAll(async () => {
    for (const workspace of workspaces) await workspace.remove();
  });
  async function create(mcpServers: object): Promise<Workspace> {
    const workspace = await Workspace.create({ mode: 'discovery', mcpServers });
    workspaces.push(workspace);
    return workspace;
  }

  it('is the same bytes over restarts, changes of the catalog, order of connection and other servers', async () => {
    const slow = (startDelayMs: number) => rawServer({ startDelayMs });
    const workspace = await create({ one: rawServer(), two: slow(300) });
    const empty = await listLine(workspace);
    await workspace.json('sync');
    const filled = await listLine(workspace);
    const again = await listLine(workspace);
    await workspace.writeConfig({ mode: 'discovery', mcpServers: { two: rawServer(), one: slow(300) } });
    await workspace.json('sync');
    const reordered = await listLine(workspace);
    await workspace.writeConfig({
      mode: 'discovery',
      mcpServers: { three: rawServer({ toolCount: 200 }), dead: { command: 'does-not-exist' } },
    });
    await workspace.cli('sync');
    const changed = await listLine(workspace);
    const other = await listLine(await create({}));
    expect(new Set([empty, filled, again, reordered, changed, other]).size).toBe(1);
    expect(
      JSON.parse(empty)
        .result.tools.map(({ name }: { name: string }) => name)
        .sort(),
    ).toEqual(['call_tool', 'describe_tool', 'search_tools']);
  });
});
