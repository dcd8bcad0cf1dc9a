import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchResult, Stats, SyncReport, ToolListing } from '../../src/model/index.ts';
import { readRecording, replayServersOverHttp, smallRecording } from '../fixtures/replay/index.ts';
import { rawServer, Workspace } from './program.ts';

const replay = await replayServersOverHttp({ file: smallRecording });
afterAll(() => replay.close());

const recorded = readRecording(smallRecording);
const allTools = recorded.flatMap(({ tools }) => tools).length;

describe('a catalog of six servers', () => {
  let workspace: Workspace;
  let synced: SyncReport[];
  beforeAll(async () => {
    workspace = await Workspace.create({ mcpServers: { ...replay.mcpServers, raw: rawServer() } });
    synced = await workspace.json('sync');
  });
  afterAll(() => workspace.remove());

  it('sync --json reports on each server', async () => {
    expect(synced.map(({ server, state }) => [server, state])).toEqual(
      [...recorded.map(({ server }) => server), 'raw'].map((id) => [id, 'ok']),
    );
    const harbor = synced.find(({ server }) => server === 'harbor');
    expect(harbor).toEqual({
      server: 'harbor',
      state: 'ok',
      tools: 8,
      added: 8,
      changed: 0,
      removed: 0,
      durationMs: expect.any(Number),
    });
  });

  it('sync again changes nothing; sync of one server lists that one', async () => {
    const again = await workspace.json<SyncReport[]>('sync', 'harbor');
    expect(again).toHaveLength(1);
    expect(again[0]).toMatchObject({ server: 'harbor', tools: 8, added: 0, changed: 0, removed: 0 });
  });

  it('search --json has the shape that programs rely on', async () => {
    const result = await workspace.json<SearchResult>('search', 'close', 'the', 'dome', '--limit', '2');
    expect(Object.keys(result).filter((key) => key !== 'nextCursor')).toEqual(['query', 'confidence', 'hits', 'notes']);
    expect(result.query).toBe('close the dome');
    expect(result.hits).toHaveLength(2);
    expect(result.hits[0]).toEqual({
      name: 'observatory__close_dome',
      server: 'observatory',
      tool: 'close_dome',
      score: expect.any(Number),
      signature: expect.stringMatching(/^observatory__close_dome\(/),
      summary: 'Closes the dome at once.',
    });
  });

  it('search --explain gives parts that sum to the score', async () => {
    const { hits } = await workspace.json<SearchResult>('search', 'book a berth', '--explain');
    for (const { score, explain = {} } of hits) {
      expect(Object.values(explain).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 6);
    }
  });

  it('search puts all tools of the name asked for first', async () => {
    const { hits } = await workspace.json<SearchResult>('search', 'search');
    expect(
      hits
        .slice(0, 2)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['archive__search', 'pantry__search']);
  });

  it('search with nothing to find ends with 3 and still prints an answer', async () => {
    const { code, stdout } = await workspace.cli('search', 'zzqx vvbnm qqwwz', '--arm', 'lexical', '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      hits: [],
      notes: [expect.objectContaining({ code: expect.any(String) })],
    });
  });

  it('describe --json gives the definition', async () => {
    const tool = await workspace.json<Record<string, unknown>>('describe', 'observatory__point_telescope');
    expect(tool).toMatchObject({
      name: 'observatory__point_telescope',
      server: 'observatory',
      tool: 'point_telescope',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'ok',
    });
    expect(JSON.stringify(tool.inputSchema)).not.toContain('$ref');
    expect(JSON.stringify(tool.inputSchema)).toContain('declination');
  });

  it('describe takes a bare name where it is unambiguous, and says so where not', async () => {
    expect(await workspace.json('describe', 'close_dome')).toMatchObject({ server: 'observatory' });
    const { code, stderr } = await workspace.cli('describe', 'search', '--json');
    expect([code, JSON.parse(stderr).error.code]).toEqual([2, 'ambiguous_tool']);
  });

  it('describe of a tool that is not there ends with 3', async () => {
    const { code, stderr } = await workspace.cli('describe', 'harbor__nope', '--json');
    expect([code, JSON.parse(stderr).error.code]).toEqual([3, 'unknown_tool']);
  });

  it.each([[['--args', '{"day":"2026-03-01"}']], [['--args', 'day=2026-03-01']]])(
    'call --json prints the result as the server gave it (%j)',
    async (args) => {
      const result = await workspace.json<{ content: { type: string; text: string }[] }>(
        'call',
        'harbor__tide_table',
        ...args,
      );
      expect(result.content[0]?.type).toBe('text');
      expect(JSON.parse(result.content[0]?.text ?? '')).toEqual({
        name: 'tide_table',
        arguments: { day: '2026-03-01' },
      });
    },
  );

  it('call reads arguments from a file', async () => {
    await writeFile(workspace.path('args.json'), '{"ship_id":"S1","nights":2}');
    const result = await workspace.json('call', 'harbor__harbor_dues', '--args', `@${workspace.path('args.json')}`);
    expect(JSON.stringify(result)).toContain('S1');
  });

  it('call with a wrong argument ends with 1 and names the field', async () => {
    const { code, stdout } = await workspace.cli('call', 'harbor__tide_table', '--args', 'date=x', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('day') }] });
  });

  it('call of a server’s error ends with 1', async () => {
    const args = JSON.stringify({ raw: { content: [{ type: 'text', text: 'no' }], isError: true } });
    const { code, stdout } = await workspace.cli('call', 'raw__result', '--args', args, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([1, { content: [{ type: 'text', text: 'no' }], isError: true }]);
  });

  it('list tools --json loses none, and says what is wrong with which', async () => {
    const tools = await workspace.json<ToolListing[]>('list', 'tools');
    const replayed = tools.filter(({ server }) => server !== 'raw');
    expect(replayed).toHaveLength(allTools);
    const statusOf = (name: string) => replayed.filter(({ tool }) => tool === name).map(({ status }) => status);
    expect(statusOf('close_dome')).toEqual(['ok']);
    expect(statusOf('store_document')).toEqual(['repaired']);
    expect(statusOf('digitise_collection')).toEqual(['set_aside']);
    expect(statusOf('search')).toEqual(['ok', 'ok']);
    expect(statusOf('search#2')).toEqual(['set_aside']);
    const problems = await workspace.json<ToolListing[]>('list', 'tools', '--problems', '--server', 'archive');
    expect(problems.every(({ status, problem }) => status !== 'ok' && problem !== undefined)).toBe(true);
    expect(problems.map(({ tool }) => tool)).toContain('list_shelves');
  });

  it('gives every callable tool a name of its own that models accept', async () => {
    const tools = await workspace.json<ToolListing[]>('list', 'tools');
    const names = tools.filter(({ status }) => status !== 'set_aside').map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it('list servers --json', async () => {
    const servers = await workspace.json<Record<string, unknown>[]>('list', 'servers');
    expect(servers.find(({ server }) => server === 'observatory')).toMatchObject({
      server: 'observatory',
      tools: 8,
      stale: false,
      listedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      era: expect.stringContaining('legacy'),
    });
  });

  it('stats --json', async () => {
    const stats = await workspace.json<Stats>('stats');
    expect(stats).toMatchObject({
      servers: 7,
      mode: 'direct',
      modeReason: expect.any(String),
      tokenizer: expect.stringContaining('o200k'),
    });
    expect(stats.tools).toBeGreaterThan(allTools);
    expect(stats.metaToolTokens).toBeLessThanOrEqual(600);
    expect(stats.definitionTokens).toBeGreaterThan(1_000);
    expect(stats.perServer.reduce((sum, { definitionTokens }) => sum + definitionTokens, 0)).toBe(
      stats.definitionTokens,
    );
  });
});

describe('faults', () => {
  const workspaces: Workspace[] = [];
  const create = async (config: object) => {
    const workspace = await Workspace.create(config);
    workspaces.push(workspace);
    return workspace;
  };
  afterAll(async () => {
    for (const workspace of workspaces) await workspace.remove();
  });

  it('a server that does not start fails the sync and no other server', async () => {
    const workspace = await create({ mcpServers: { raw: rawServer(), dead: { command: 'does-not-exist' } } });
    const { code, stdout } = await workspace.cli('sync', '--json');
    expect(code).toBe(1);
    const reports = JSON.parse(stdout) as SyncReport[];
    expect(reports.map(({ server, state }) => [server, state])).toEqual([
      ['raw', 'ok'],
      ['dead', 'failed'],
    ]);
    expect(reports[1]?.error).toContain('does-not-exist');
    expect((await workspace.json<SearchResult>('search', 'echo')).hits[0]?.tool).toBe('echo');
  });

  it('a missing variable disables its server and no other', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for toolcrib to expand.
    const keyedEntry = { command: 'x', args: ['${TOOLCRIB_E2E_MISSING}'] };
    const workspace = await create({ mcpServers: { raw: rawServer(), keyed: keyedEntry } });
    const servers = await workspace.json<{ server: string; state: string; problem?: string }[]>('list', 'servers');
    const keyed = servers.find(({ server }) => server === 'keyed');
    expect(keyed?.state).toBe('disabled');
    expect(keyed?.problem).toContain('TOOLCRIB_E2E_MISSING');
  });

  it('a bad config gives every place with line and column, and ends with 2', async () => {
    const workspace = await create({});
    await writeFile(workspace.configPath, '{\n  "mode": "sometimes",\n  "contextWindow": "big"\n}\n');
    const { code, stdout, stderr } = await workspace.cli('stats');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(workspace.configPath);
    expect(stderr).toMatch(/2:\d+[\s\S]*mode/);
    expect(stderr).toMatch(/3:\d+[\s\S]*contextWindow/);
  });

  it.each([
    ['no such config', ['stats', '--config', '/does/not/exist.json'], 2],
    ['no such command', ['frobnicate'], 2],
    ['no such option', ['stats', '--frobnicate'], 2],
    ['a missing argument', ['describe'], 2],
    ['help', ['--help'], 0],
    ['help of a command', ['search', '--help'], 0],
    ['the version', ['--version'], 0],
  ])('%s', async (_, args, expected) => {
    const workspace = await create({});
    const { code, stdout, stderr } = await workspace.bareCli(...args);
    expect(code).toBe(expected);
    expect(expected === 0 ? stdout : stderr).not.toBe('');
    if (expected !== 0) expect(stdout).toBe('');
  });

  it.each(['serve', 'sync', 'search', 'describe', 'call', 'stats'])('%s --help has an example', async (command) => {
    const { stdout } = await (await create({})).bareCli(command, '--help');
    expect(stdout).toMatch(/Example/);
  });

  it('a server that no config names is unknown', async () => {
    const workspace = await create({ mcpServers: { raw: rawServer() } });
    const { code, stderr } = await workspace.cli('sync', 'nope', '--json');
    expect([code, JSON.parse(stderr).error.code]).toEqual([2, 'server_unknown']);
  });
});

describe('two processes on one catalog', () => {
  it('a server that runs sees what a command has listed', async () => {
    const workspace = await Workspace.create({ mode: 'discovery', mcpServers: { raw: rawServer() } });
    try {
      await workspace.json('sync');
      const { host } = await workspace.serve('stdio', 'v2 legacy');
      const results = await Promise.all([
        workspace.cli('sync', '--json'),
        workspace.cli('search', 'echo', '--json'),
        host.call('search_tools', { query: 'echo' }),
        workspace.cli('sync', '--json'),
      ]);
      expect([results[0].code, results[1].code, results[3].code]).toEqual([0, 0, 0]);
      expect(results[2].isError ?? false).toBe(false);
    } finally {
      await workspace.remove();
    }
  });
});
