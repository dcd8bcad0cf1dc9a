import { describe, expect, it } from 'vitest';
import { ingestFingerprint } from '../../src/catalog/index.ts';
import { setUp } from './harness.ts';

describe('search_tools', () => {
  it('groups hits by server, best first, with the call to make', async () => {
    const { ask } = setUp();
    const { text, isError } = await ask('search_tools', { query: 'issue' });
    expect(isError).toBe(false);
    expect(text.split('\n')).toEqual([
      'Server "github" says:',
      '1. github__create_issue(owner: string, repo: string, title: string, labels?: string[]) - Does create_issue.',
      'Server "linear" says:',
      '2. linear__create_issue(title: string) - Does create_issue.',
      'To run 1: call_tool {"name":"github__create_issue","arguments":{"owner":"<owner>","repo":"<repo>","title":"<title>"}}',
    ]);
  });

  it('has the same for programs in _meta, and no structured content', async () => {
    const { router } = setUp();
    const result = await router.callTool('search_tools', { query: 'issue', limit: 1 });
    expect(result.structuredContent).toBeUndefined();
    expect(result._meta).toMatchObject({
      'dev.toolcrib/hits': {
        hits: [{ name: 'github__create_issue', server: 'github', tool: 'create_issue' }],
        nextCursor: 'next-page',
      },
    });
  });

  it('tells names alone, or schemas, and how to go on', async () => {
    const { ask, searcher } = setUp();
    const names = await ask('search_tools', { query: 'issue', detail: 'name', limit: 1 });
    expect(names.text).toMatch(/^Server "github" says:\n1\. github__create_issue\n/);
    expect(names.text).toContain('More: the same search with "cursor":"next-page"');
    const schemas = await ask('search_tools', { query: 'issue', detail: 'schema', cursor: 'c', server: 'linear' });
    expect(schemas.text).toContain('   schema: {"type":"object","properties":{"owner":');
    expect(searcher.asked.at(-1)).toEqual({ query: 'issue', detail: 'schema', cursor: 'c', server: 'linear' });
  });

  it('says when nothing fits, what to do, and which servers there are', async () => {
    const { ask, searcher } = setUp();
    searcher.notes = [{ code: 'servers_pending', message: 'Not searched yet: slow.' }];
    const { text, isError } = await ask('search_tools', { query: 'zebra\u001b[31m', server: 'github' });
    expect(isError).toBe(false);
    expect(text).toContain('No tool found for "zebra" on server "github".');
    expect(text).toMatch(/other words.*without server/);
    expect(text).toContain('Servers: github, linear.');
    expect(text).toContain('Note: Not searched yet: slow.');
  });

  it.each<[string, unknown, RegExp]>([
    ['no query', {}, /query: expected string, got nothing/],
    ['a limit out of range', { query: 'x', limit: 50 }, /limit: expected <= 20, got 50/],
    ['an unknown detail', { query: 'x', detail: 'full' }, /detail: expected one of "name", "summary", "schema"/],
    ['no object', 7, /query: expected string/],
  ])('explains %s', async (_, args, message) => {
    const { ask, searcher } = setUp();
    const { text, isError } = await ask('search_tools', args);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(searcher.asked).toEqual([]);
  });

  it('reads a number that came as text, and an input that came as JSON text', async () => {
    const { ask, searcher } = setUp();
    await ask('search_tools', { query: 'issue', limit: '2' });
    await ask('search_tools', '{"query":"issue","limit":3}');
    expect(searcher.asked.map(({ limit }) => limit)).toEqual([2, 3]);
  });
});

describe('describe_tool', () => {
  it('shows a tool by its full or unambiguous bare name', async () => {
    const { ask } = setUp();
    expect((await ask('describe_tool', { name: 'linear__listTeams' })).text).toMatch(/^linear__listTeams: tool/);
    expect((await ask('describe_tool', { name: 'list_teams' })).text).toMatch(/^linear__listTeams: tool/);
  });

  it('says how old the list is and that calls fail for now, where that is so', async () => {
    const reason = 'Server "linear" could not be reached.';
    const states = [{ id: 'linear', state: 'failed' as const, reason, retryAt: Date.now() + 60_000 }];
    const { ask, router, catalog } = setUp({ states });
    catalog.markFailed('linear', ingestFingerprint, 'gone');
    const { text } = await ask('describe_tool', { name: 'listTeams' });
    expect(text).toMatch(/^Listed: \d{4}-\d\d-\d\dT[\d:.]+Z; the server could not be listed again since\.$/m);
    expect(text).toMatch(/^Calls fail for now: Server "linear" could not be reached\. It is tried again in \d+ s\.$/m);
    expect(router.describe('listTeams')).toMatchObject({ asOf: expect.any(String), unavailable: expect.any(String) });
    const { text: other } = await ask('describe_tool', { name: 'run_workflow' });
    expect(other).not.toMatch(/Listed:|Calls fail/);
  });

  it('shows a part by its path', async () => {
    const { ask } = setUp();
    const { text } = await ask('describe_tool', { name: 'github__create_issue', path: '/properties/labels' });
    expect(text).toContain('{"type":"array","items":{"type":"string"}}');
  });

  it.each<[string, object, string, RegExp]>([
    ['an ambiguous name', { name: 'create_issue' }, 'unknown_tool', /github__create_issue, linear__create_issue/],
    [
      'an unknown name',
      { name: 'creat_isue' },
      'unknown_tool',
      /Nearest names: github__create_issue.*search_tools \{"query":"creat isue"\}/,
    ],
    ['a wrong path', { name: 'listTeams', path: '/properties/x' }, 'invalid_arguments', /leads nowhere/],
    ['no name', {}, 'invalid_arguments', /name: expected string/],
  ])('explains %s', async (_, args, code, message) => {
    const { ask } = setUp();
    const { text, isError, meta } = await ask('describe_tool', args);
    expect(isError).toBe(true);
    expect(text).toMatch(message);
    expect(meta).toMatchObject({ 'dev.toolcrib/error': { code } });
  });
});

describe('search_tools and describe_tool read their input like call_tool', () => {
  it.each<[string, string, unknown]>([
    ['nested', 'search_tools', { arguments: { query: 'issue' } }],
    ['a JSON text', 'search_tools', JSON.stringify({ query: 'issue' })],
    ['nested as a text', 'search_tools', { arguments: JSON.stringify({ query: 'issue' }) }],
    ['a text with a nested one', 'search_tools', JSON.stringify({ params: { query: 'issue' } })],
    ['under their own name', 'search_tools', { name: 'search_tools', arguments: { query: 'issue' } }],
    ['nested', 'describe_tool', { arguments: { name: 'github__create_issue' } }],
    ['nested as a text', 'describe_tool', { input: '{"name":"github__create_issue"}' }],
  ])('%s: %s', async (_, name, input) => {
    const { ask } = setUp();
    expect(await ask(name, input)).toMatchObject({
      isError: false,
      text: expect.stringContaining('github__create_issue('),
    });
  });
});
