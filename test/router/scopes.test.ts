import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ingestFingerprint, openCatalog } from '../../src/catalog/index.ts';
import type { CallRecord, CallToolResult, SearchResult } from '../../src/model/index.ts';
import { createCallerScope } from '../../src/policy/index.ts';
import { createRouter } from '../../src/router/index.ts';
import type { ModeSettings } from '../../src/router/mode.ts';
import { createToolAnalyzer, createToolSearcher } from '../../src/search/index.ts';
import { direct, discovery, EchoCaller, KeepingLogger, rawTool, text } from './harness.ts';

const tools: Record<string, unknown[]> = {
  github: [
    rawTool('create_issue', { title: text }, ['title']),
    rawTool('delete_repo', { repo: text }, ['repo']),
    { ...rawTool('list_issues', { repo: text }), annotations: { readOnlyHint: true } },
  ],
  linear: [rawTool('create_issue', { title: text }, ['title']), rawTool('list_teams')],
  vault: [rawTool('read_secret', { path: text })],
};

/** A router with real search over a real catalog in memory. */
function setUp(lists = tools, settings: ModeSettings = discovery, trusted: string[] = []) {
  const catalog = openCatalog({ path: ':memory:', analyzer: createToolAnalyzer() });
  for (const [id, list] of Object.entries(lists)) {
    catalog.ingest(id, list, { fingerprint: ingestFingerprint, listedAt: Date.now(), trigger: 'ingest' });
  }
  const logger = new KeepingLogger();
  const caller = new EchoCaller();
  const records: CallRecord[] = [];
  const searcher = createToolSearcher({
    catalog,
    keywords: catalog,
    vectors: catalog,
    serverStates: () => [],
    describeHit: ({ exposedName, description = '' }) => ({ signature: `${exposedName}()`, summary: description }),
    logger,
  });
  const router = createRouter({
    catalog,
    approvals: catalog.callApprovals,
    searcher,
    caller,
    resources: caller,
    serverStates: () => [],
    modeSettings: settings,
    logger,
    isTrusted: (id) => trusted.includes(id),
    audit: { record: (entry) => entry.kind === 'call' && records.push(entry) },
  });
  const as = (...scopes: string[]) => {
    const scope = createCallerScope(scopes, (id) => trusted.includes(id));
    const options = { principal: 'client:ci', scope };
    return {
      scope,
      options,
      call: async (name: string, args: unknown) => (await router.callTool(name, args, options)) as CallToolResult,
    };
  };
  return { catalog, caller, router, records, as };
}

const textOf = ({ content }: CallToolResult) => content.map((block) => String(block.text)).join('\n');
const hitsOf = ({ _meta }: CallToolResult) => _meta?.['dev.toolcrib/hits'] as unknown as SearchResult;

describe('a caller of a scope', () => {
  it('finds, describes and calls what is in it', async () => {
    const { as, caller } = setUp();
    const { call } = as('github:create_*');
    const found = await call('search_tools', { query: 'create issue' });
    expect(hitsOf(found).hits.map(({ name }) => name)).toEqual(['github__create_issue']);
    expect(textOf(await call('describe_tool', { name: 'create_issue' }))).toContain('github__create_issue');
    await call('call_tool', { name: 'github__create_issue', arguments: { title: 'x' } });
    expect(caller.calls).toMatchObject([{ tool: 'create_issue' }]);
  });

  it.each(['call_tool', 'describe_tool'])('is told by %s of a hidden tool what it is told of none', async (meta) => {
    const { as, caller } = setUp();
    const { call } = as('github:create_*');
    const args = (name: string) => ({ name, ...(meta === 'call_tool' ? { arguments: { path: 'a' } } : {}) });
    const [hidden, none] = [await call(meta, args('vault__read_secret')), await call(meta, args('vault__walk_secret'))];
    expect(hidden.isError).toBe(true);
    expect(JSON.stringify(hidden)).toBe(JSON.stringify(none).replaceAll('walk', 'read'));
    expect(caller.calls).toEqual([]);
  });

  it('gets a name that two servers have for its own without a question which', async () => {
    const { as, caller } = setUp();
    await as('linear').call('call_tool', { name: 'create_issue', arguments: { title: 'x' } });
    expect(caller.calls).toHaveLength(1);
  });

  it('does not learn of servers out of it', async () => {
    const { as } = setUp();
    const { call } = as('github');
    const unknown = await call('search_tools', { query: 'issue', server: 'vault' });
    expect(hitsOf(unknown).notes).toMatchObject([{ code: 'server_unknown' }]);
    expect(textOf(unknown)).not.toContain('linear');
    const nothing = textOf(await call('search_tools', { query: 'zzz' }));
    expect(nothing).toContain('Servers: github');
    expect(nothing).not.toMatch(/linear|vault/);
  });

  it('sees what is known to only read, where a scope asks for that', async () => {
    const { as, router } = setUp(tools, direct, ['github']);
    const names = (scope: string) => router.listTools(as(scope).scope).map(({ name }) => name);
    expect(names('*@read')).toEqual(['github__list_issues', 'toolcrib__read_result']);
    expect(names('github')).toHaveLength(4);
  });

  it('has in direct mode a list of its own, the same array until it changes', () => {
    const { as, router, catalog } = setUp(tools, direct);
    const { scope } = as('linear', 'github:list_*');
    const list = router.listTools(scope);
    expect(list.map(({ name }) => name)).toEqual([
      'github__list_issues',
      'linear__create_issue',
      'linear__list_teams',
      'toolcrib__read_result',
    ]);
    expect(router.listTools(as('github:list_*', 'linear').scope)).toBe(list);
    catalog.ingest('linear', [], { fingerprint: ingestFingerprint, listedAt: Date.now(), trigger: 'list_changed' });
    expect(router.listTools(scope).map(({ name }) => name)).toEqual(['github__list_issues', 'toolcrib__read_result']);
  });

  it('cannot call in direct mode what its list does not have', async () => {
    const { as, caller } = setUp(tools, direct);
    await expect(as('linear').call('vault__read_secret', {})).rejects.toMatchObject({ code: 'unknown_tool' });
    expect(caller.calls).toEqual([]);
  });

  it('cannot read a resource of a server that left its scope', async () => {
    const { as, router, caller } = setUp();
    caller.answer = () => ({ content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] });
    const wide = as('github', 'linear');
    await wide.call('call_tool', { name: 'linear__list_teams', arguments: {} });
    await expect(router.readResource('file:///a', as('github').options)).rejects.toMatchObject({
      code: 'unknown_resource',
    });
    expect(await router.readResource('file:///a', wide.options)).toMatchObject({ contents: [{ uri: 'file:///a' }] });
  });

  it('is told by a challenge which scope a tool needs, and nothing where there is no such tool', () => {
    const { as, router, records } = setUp();
    const { options } = as('github:create_*');
    const missing = (name: string, args: unknown) => router.missingScope(name, args, options);
    expect(missing('call_tool', { name: 'read_secret', arguments: {} })).toBe('vault:read_secret');
    expect(missing('describe_tool', { name: 'vault__read_secret' })).toBe('vault:read_secret');
    expect(missing('call_tool', { name: 'github__create_issue', arguments: { title: 'x' } })).toBeUndefined();
    expect(missing('call_tool', { name: 'no_such_tool' })).toBeUndefined();
    expect(missing('search_tools', { query: 'vault__read_secret' })).toBeUndefined();
    expect(router.missingScope('call_tool', { name: 'read_secret' }, {})).toBeUndefined();
    expect(records.map(({ tool, outcome, rule }) => [tool, outcome, rule])).toEqual([
      ['read_secret', 'not_authorized', 'scope'],
      ['read_secret', 'not_authorized', 'scope'],
    ]);
  });
});

/** Words that occur in no text of ours, so that one in an answer can only be a name. */
const syllables = ['quax', 'zorb', 'vlim', 'drek', 'plyv', 'gwon', 'skuj', 'trux'];
const word = fc.tuple(fc.constantFrom(...syllables), fc.constantFrom(...syllables)).map((parts) => parts.join(''));
const catalogs = fc.uniqueArray(fc.tuple(word, fc.uniqueArray(word, { minLength: 1, maxLength: 5 })), {
  minLength: 2,
  maxLength: 5,
  selector: ([server]) => server,
});

describe('whatever the catalog and the scope', () => {
  it.each([
    ['discovery', discovery],
    ['direct', direct],
  ])('no answer holds a name that is out of it (%s)', async (mode, settings) => {
    await fc.assert(
      fc.asyncProperty(catalogs, fc.infiniteStream(fc.nat(99)), async (lists, picks) => {
        const pick = () => Number(picks.next().value);
        const { as, router, catalog } = setUp(
          Object.fromEntries(
            lists.map(([server, names]) => [server, names.map((name) => rawTool(name, { [`of_${name}`]: text }))]),
          ),
          settings,
        );
        const all = lists.flatMap(([server, names]) => names.map((tool) => ({ server, tool })));
        const allowed = all.filter(() => pick() < 40);
        const caller = as(
          ...(allowed.length === 0 ? ['nothing'] : allowed.map(({ server, tool }) => `${server}:${tool}`)),
        );
        const visible = new Set(allowed.flatMap(({ server, tool }) => [server, tool]));
        const hidden = [...new Set(all.flatMap(({ server, tool }) => [server, tool]))].filter(
          (name) => !visible.has(name),
        );
        // Each is asked for with a letter left out: what then is told in full was not said by the caller.
        const asked = [...hidden, ...visible].map((name) => name.slice(0, -1));
        const answers: unknown[] = [router.listTools(caller.scope)];
        const requests: [string, unknown][] = asked.flatMap(
          (name) =>
            [
              ['search_tools', { query: `${name} please`, limit: 20 }],
              ['search_tools', { query: name, detail: 'schema' }],
              ['search_tools', { query: 'does', server: name }],
              ['describe_tool', { name }],
              ['call_tool', { name, arguments: {} }],
              ['call_tool', { name: `${name}__${name}`, arguments: 5 }],
              [name, {}],
            ] as [string, unknown][],
        );
        for (const [name, args] of requests) {
          answers.push(await caller.call(name, args).catch((error: Error) => ({ ...error, message: error.message })));
        }
        const told = JSON.stringify(answers);
        expect(hidden.filter((name) => told.includes(name))).toEqual([]);
        if (mode === 'discovery' && allowed.length > 0)
          expect([...visible].some((name) => told.includes(name))).toBe(true);
        catalog.close();
      }),
      { numRuns: 25 },
    );
  });
});
