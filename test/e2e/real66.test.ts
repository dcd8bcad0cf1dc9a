import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exposedName, type SearchResult, type Stats, type ToolListing } from '../../src/model/index.ts';
import { textOf } from '../fixtures/hosts/index.ts';
import { readRecording, real66Recording, replayServersOverHttp } from '../fixtures/replay/index.ts';
import { Workspace } from './program.ts';

const skipped = real66Recording === undefined;
if (skipped) console.warn('real66 is not on this machine (set TOOLCRIB_BENCH_DATA): its replay is skipped.');

describe.skipIf(skipped)('the 66 servers of real66, replayed', () => {
  let workspace: Workspace;
  let closeReplay: () => Promise<void> = async () => {};
  let tools: ToolListing[];

  beforeAll(async () => {
    const replay = await replayServersOverHttp({ file: String(real66Recording) });
    closeReplay = replay.close;
    // Vectors of 2,514 tools take longer than all else here together; ranking has tests of its own.
    workspace = await Workspace.create({ mcpServers: replay.mcpServers, embedding: 'none' });
    await workspace.json('sync');
    tools = await workspace.json('list', 'tools');
  }, 180_000);
  afterAll(async () => {
    await workspace?.remove();
    await closeReplay();
  });

  it('are all in the catalog, each tool under its own name', () => {
    const expected = readRecording(String(real66Recording)).flatMap(({ server, tools: recorded }) =>
      recorded.map((tool) => `${server}/${(tool as { name: string }).name}`),
    );
    expect(expected).toHaveLength(2_514);
    expect(tools.map(({ server, tool }) => `${server}/${tool}`).sort()).toEqual(expected.sort());
    expect(new Set(tools.map(({ name }) => name)).size).toBe(2_514);
    for (const { name, server, tool } of tools) {
      expect(name).toBe(exposedName({ serverId: server, toolName: tool }));
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }
  });

  it('have the definitions without a type repaired, and only those that need tasks set aside', () => {
    const problems = tools.filter(({ status }) => status !== 'ok');
    expect(problems.filter(({ status }) => status === 'repaired').map(({ server }) => server)).toEqual(
      Array.from({ length: 9 }, () => 'gitlab'),
    );
    expect(problems.filter(({ status }) => status === 'set_aside').map(({ server }) => server)).toEqual(['everything']);
  });

  it('are searched by a cold process', async () => {
    const { hits } = await workspace.json<SearchResult>('search', 'create an issue', '--limit', '20');
    expect(hits.map(({ tool }) => tool)).toContain('create_issue');
  });

  it('are too many to list, so auto mode serves the three meta-tools', async () => {
    const stats = await workspace.json<Stats>('stats');
    expect(stats).toMatchObject({ servers: 66, mode: 'discovery' });
    expect(stats.definitionTokens).toBeGreaterThan(1_000_000);
    expect(stats.savedPercent).toBeGreaterThan(99.9);
    const { host } = await workspace.serve('stdio', 'v2 modern');
    expect(await host.listTools()).toHaveLength(3);
    const described = await host.call('describe_tool', { name: 'gitlab__create_issue' });
    expect(textOf(described)).toContain('gitlab__create_issue');
  });
});
