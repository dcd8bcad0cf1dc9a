import { afterAll, describe, expect, it, vi } from 'vitest';
import type { SearchOptions } from '../../src/model/index.ts';
import { createInProcessEmbedder } from '../../src/search/embedding/in-process-embedder.ts';
import { createEmbeddingBackfill } from '../../src/search/index.ts';
import { modelDir } from './embedding/model.ts';
import { fakeEmbedder, filledCatalog, searcherOver, servers, silent } from './fixture.ts';

const lexical = searcherOver(filledCatalog());
const embedder = createInProcessEmbedder({ modelDir });
const hybridCatalog = filledCatalog();
const hybrid = searcherOver(hybridCatalog, { embedder });
const embedded = createEmbeddingBackfill({ vectors: hybridCatalog, embedder, logger: silent }).settled();
afterAll(() => embedder.close());

async function names(query: string, options: SearchOptions = {}): Promise<string[]> {
  await embedded;
  return (await hybrid.search(query, options)).hits.map(({ name }) => name);
}

describe('ranking by meaning and keywords', () => {
  it.each([
    ['enter a user story', 'jira__Create-Issue'],
    ['will it rain tomorrow', 'weather__get_forecast'],
    ['show me what is inside a text document', 'filesystem__read_text_file'],
    ['rename a file', 'filesystem__move_file'],
    ['hand a ticket over to another person', 'linear__assignIssue'],
    ['merge my branch', 'github__create_pull_request'],
    ['latitude', 'weather__get_forecast'],
    ['파일 이동', 'filesystem__move_file'],
    ['Wetter für einen Ort', 'weather__get_forecast'],
    ['ページを削除', 'wiki__page_delete'],
  ])('%s → %s', async (query, best) => {
    expect((await names(query))[0]).toBe(best);
  });

  it('takes what is opened for new where people open new ones', async () => {
    const makers = ['github__create_issue', 'jira__Create-Issue', 'linear__createIssue'];
    expect(makers).toContain((await names('open a bug report'))[0]);
    expect((await names('open a pull request'))[0]).toBe('github__create_pull_request');
  });

  it('finds a tool for each request of a query', async () => {
    const found = await names('read the file, get the weather forecast and open a pull request');
    expect(found.slice(0, 3).sort()).toEqual([
      'filesystem__read_text_file',
      'github__create_pull_request',
      'weather__get_forecast',
    ]);
  });

  it('answers the same each time', async () => {
    expect(await names('create something', { limit: 20 })).toEqual(await names('create something', { limit: 20 }));
  });

  it.each(['lexical', 'embedding', 'hybrid'] as const)(
    'explains each hit of the %s arm by parts that sum',
    async (arm) => {
      await embedded;
      const { hits } = await hybrid.search('create_issue', { arm, explain: true, limit: 20 });
      expect(hits.length).toBeGreaterThan(3);
      for (const { score, explain } of hits) {
        expect(Object.values(explain ?? {}).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 10);
      }
    },
  );
});

describe('exact names', () => {
  const trackers = ['github__create_issue', 'jira__Create-Issue', 'linear__createIssue'];

  it.each([
    ['create_issue', 'github__create_issue'],
    ['createIssue', 'linear__createIssue'],
    ['Create-Issue', 'jira__Create-Issue'],
  ])('all come first for %s, its own case before the others', async (query, first) => {
    for (const searcher of [lexical, hybrid]) {
      const found = (await searcher.search(query)).hits.map(({ name }) => name);
      expect(found[0]).toBe(first);
      expect(found.slice(0, 3).sort()).toEqual(trackers);
    }
  });

  it.each(['CREATE ISSUE', 'create.issue', 'create issue'])('all come first for %s', async (query) => {
    expect((await names(query)).slice(0, 3).sort()).toEqual(trackers);
  });

  it('are found with their prefix in any style', async () => {
    expect((await names('linear create_issue'))[0]).toBe('linear__createIssue');
    expect((await names('jira__Create-Issue'))[0]).toBe('jira__Create-Issue');
  });

  it('survive the limit when mentioned in a longer query', async () => {
    const query = 'weather and files and forecasts for the coming days, then call linear__assignIssue with my ticket';
    expect(await names(query, { limit: 1 })).toEqual(['linear__assignIssue']);
  });

  it('are never outranked by a description stuffed with the words', async () => {
    expect((await names('create issue')).indexOf('spam__free_prize')).not.toBe(0);
    expect((await names('create_issue')).slice(0, 3)).not.toContain('spam__free_prize');
  });
});

describe('options', () => {
  it('limits to one server, whatever the case of its id', async () => {
    for (const server of ['github', 'GitHub']) {
      const found = await names('create an issue', { server, limit: 20 });
      expect(found.length).toBeGreaterThan(0);
      expect(found.every((name) => name.startsWith('github__'))).toBe(true);
    }
  });

  it('names other servers that fit as well when limited to one', async () => {
    await embedded;
    const { notes } = await hybrid.search('weather forecast for the coming days', { server: 'github' });
    expect(notes).toContainEqual({ code: 'other_servers', message: expect.stringContaining('weather') });
    const fitting = await hybrid.search('weather forecast for the coming days', { server: 'weather' });
    expect(fitting.notes.map(({ code }) => code)).not.toContain('other_servers');
  });

  it('names the nearest ids for a server that does not exist', async () => {
    const { hits, notes } = await lexical.search('create an issue', { server: 'gihub' });
    expect(hits).toEqual([]);
    expect(notes).toEqual([
      { code: 'server_unknown', message: expect.stringMatching(/^No server is called "gihub"\. Nearest: github, /) },
    ]);
  });

  it('pages through all hits without repeating one', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await lexical.search('create a new issue', {
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...page.hits.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const all = await lexical.search('create a new issue', { limit: 20 });
    expect(seen).toEqual(all.hits.map(({ name }) => name));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('refuses the cursor of another query', async () => {
    const { nextCursor = '' } = await lexical.search('create a new issue', { limit: 1 });
    await expect(lexical.search('read a file', { cursor: nextCursor })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it('shows as much as the detail says', async () => {
    const [bare] = (await lexical.search('move_file', { detail: 'name' })).hits;
    expect(bare).toEqual({
      name: 'filesystem__move_file',
      server: 'filesystem',
      tool: 'move_file',
      score: expect.any(Number),
      signature: '',
      summary: '',
    });
    const [summary] = (await lexical.search('move_file')).hits;
    expect(summary).toMatchObject({ signature: 'filesystem__move_file()', summary: 'Moves or renames a file.' });
    expect(summary).not.toHaveProperty('inputSchema');
    const [schema] = (await lexical.search('move_file', { detail: 'schema' })).hits;
    expect(schema?.inputSchema).toMatchObject({ required: ['destination'] });
  });
});

describe('confidence and notes', () => {
  it('is strong for a close match and for a name', async () => {
    await embedded;
    for (const query of ['weather forecast for the coming days', 'assignIssue']) {
      expect(await hybrid.search(query)).toMatchObject({ confidence: 'strong', notes: [] });
    }
  });

  it('is weak, says so and is not padded where nothing is close', async () => {
    await embedded;
    const answer = await hybrid.search('bake a chocolate cake for grandma', { limit: 20 });
    expect(answer.confidence).toBe('weak');
    expect(answer.hits.length).toBeLessThanOrEqual(5);
    expect(answer.notes.map(({ code }) => code)).toContain(answer.hits.length === 0 ? 'no_match' : 'weak_match');
  });

  it('has no hits and says what to do for words that occur nowhere', async () => {
    const answer = await lexical.search('xylophone quartz');
    expect(answer).toMatchObject({ confidence: 'weak', hits: [], notes: [{ code: 'no_match' }] });
  });

  it('says what language to search in where the query is in another', async () => {
    const answer = await lexical.search('создать задачу');
    expect(answer.notes).toContainEqual({ code: 'other_language', message: expect.stringContaining('English') });
    expect((await lexical.search('ページを作成')).notes.map(({ code }) => code)).not.toContain('other_language');
  });

  it('says that the catalog is empty', async () => {
    expect((await searcherOver(filledCatalog({})).search('anything')).notes).toEqual([
      { code: 'catalog_empty', message: expect.any(String) },
    ]);
  });

  it('names a tool that exists and was set aside, with the reason', async () => {
    const catalog = filledCatalog({
      lab: [{ name: 'run_long', execution: { taskSupport: 'required' }, inputSchema: { type: 'object' } }],
    });
    const { notes } = await searcherOver(catalog).search('lab run long');
    expect(notes.find(({ code }) => code === 'tools_set_aside')?.message).toContain('lab__run_long');
  });

  it('names servers that were never listed, and why', async () => {
    const catalog = filledCatalog({});
    const wanted = ['slow', 'dead', 'locked'].map((id, position) => ({
      id,
      position,
      fingerprint: id,
      tools: { include: [], exclude: [] },
    }));
    catalog.configure(wanted as unknown as Parameters<typeof catalog.configure>[0]);
    const states = [
      { id: 'dead', state: 'failed' as const, error: 'spawn nope\u001b[31m ENOENT' },
      { id: 'locked', state: 'login_required' as const, error: 'It needs a login. (Run `toolcrib login locked`.)' },
    ];
    const { notes } = await searcherOver(catalog, { states }).search('anything');
    const locked = notes.find(({ code }) => code === 'servers_login_required')?.message;
    expect(locked).toContain('the user has to log in to these servers first: locked.');
    expect(JSON.stringify(notes)).not.toContain('toolcrib login');
    expect(notes.find(({ code }) => code === 'servers_pending')?.message).toContain('slow');
    expect(notes.find(({ code }) => code === 'servers_failed')?.message).toContain('dead (spawn nope ENOENT)');
  });

  it('says when a hit comes from an old list', async () => {
    const catalog = filledCatalog({});
    catalog.configure([
      { id: 'old', position: 0, fingerprint: 'f', tools: { include: [], exclude: [] } },
    ] as unknown as Parameters<typeof catalog.configure>[0]);
    catalog.ingest('old', servers.weather ?? [], { fingerprint: 'f', listedAt: 1_700_000_000_000, trigger: 'first' });
    catalog.markFailed('old', 'f', 'gone');
    const { hits, notes } = await searcherOver(catalog).search('forecast');
    expect(hits).toMatchObject([{ asOf: '2023-11-14T22:13:20.000Z' }]);
    expect(notes).toContainEqual({
      code: 'servers_stale',
      message: expect.stringContaining('old (as of 2023-11-14T22:13:20.000Z)'),
    });
  });
});

it('says which servers with hits are left alone after failures, why, and for how long', async () => {
  const retryAt = Date.now() + 12_500;
  const outage = { state: 'failed' as const, error: 'spawn /secret/path', reason: 'Server "weather" ended.', retryAt };
  const states = [
    { id: 'weather', ...outage },
    { id: 'filesystem', ...outage },
  ];
  const { notes, hits } = await searcherOver(filledCatalog(), { states }).search('forecast');
  expect(hits.map(({ server }) => server)).not.toContain('filesystem');
  expect(notes).toContainEqual({
    code: 'servers_unavailable',
    message: expect.stringMatching(
      /^Calls to these servers fail for now: weather \(Server "weather" ended\. It is tried again in 1[23] s\.\)\.$/,
    ),
  });
  const over = [{ id: 'weather', ...outage, retryAt: Date.now() - 1 }];
  const later = await searcherOver(filledCatalog(), { states: over }).search('forecast');
  expect(later.notes.map(({ code }) => code)).not.toContain('servers_unavailable');
});

describe('embeddings that are missing', () => {
  it('are off: keywords alone, and no note on each answer', async () => {
    const info = vi.fn();
    const { notes, hits } = await searcherOver(filledCatalog(), { logger: { ...silent, info } }).search('rename file');
    expect(hits[0]?.name).toBe('filesystem__move_file');
    expect(notes).toEqual([]);
    expect(info).toHaveBeenCalledOnce();
  });

  it('are broken: keywords alone, a note each time, one line in the log', async () => {
    const warn = vi.fn();
    const broken = createInProcessEmbedder({ modelDir: '/nowhere/models/none' });
    const searcher = searcherOver(filledCatalog(), { embedder: broken, logger: { ...silent, warn } });
    await searcher.search('rename file');
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
    for (let round = 0; round < 2; round++) {
      const { hits, notes } = await searcher.search('rename file');
      expect(hits[0]?.name).toBe('filesystem__move_file');
      expect(notes.map(({ code }) => code)).toEqual(['embedding_unavailable']);
    }
    expect(warn).toHaveBeenCalledOnce();
  });

  it('are not waited for while the model loads and vectors are missing', async () => {
    const never = new Promise<never>(() => undefined);
    const loading = fakeEmbedder({ ready: () => never, embed: () => never });
    const { hits, notes } = await searcherOver(filledCatalog(), { embedder: loading }).search('rename file');
    expect(hits[0]?.name).toBe('filesystem__move_file');
    expect(notes.map(({ code }) => code)).toEqual(['vectors_pending']);
  });

  it('are waited for within a limit when only the model is still loading', async () => {
    const catalog = filledCatalog();
    const model = fakeEmbedder();
    await createEmbeddingBackfill({ vectors: catalog, embedder: model, logger: silent }).settled();
    const never = new Promise<never>(() => undefined);
    const slow = fakeEmbedder({ ready: () => never });
    vi.useFakeTimers();
    try {
      const answer = searcherOver(catalog, { embedder: slow }).search('rename file');
      await vi.advanceTimersByTimeAsync(1_500);
      const { hits, notes } = await answer;
      expect(hits[0]?.name).toBe('filesystem__move_file');
      expect(notes.map(({ code }) => code)).toEqual(['vectors_pending']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('count as far as they are there', async () => {
    const catalog = filledCatalog();
    const some = catalog.missing(embedder.id, 6);
    const vectors = await embedder.embed(
      some.map(({ text }) => text),
      'document',
    );
    catalog.put(
      embedder.id,
      some.map(({ textHash }, index) => ({ textHash, vector: vectors[index] ?? new Float32Array(384) })),
    );
    await embedder.ready();
    const searcher = searcherOver(catalog, { embedder });
    await searcher.search('warm up');
    await vi.waitFor(async () => {
      const { hits, notes } = await searcher.search('get weather forecast', { explain: true });
      expect(hits[0]?.name).toBe('weather__get_forecast');
      expect(hits[0]?.explain).toHaveProperty('meaning');
      expect(notes[0]).toMatchObject({ code: 'vectors_pending', message: expect.stringMatching(/\b6 of \d+ /) });
    });
  });

  it('follow what another process adds', async () => {
    const catalog = filledCatalog();
    const searcher = searcherOver(catalog, { embedder });
    const before = await searcher.search('will it rain');
    expect(before.notes.map(({ code }) => code)).toContain('vectors_pending');
    await createEmbeddingBackfill({ vectors: catalog, embedder, logger: silent }).settled();
    const { hits, notes } = await searcher.search('will it rain');
    expect(notes.map(({ code }) => code)).not.toContain('vectors_pending');
    expect(hits[0]?.name).toBe('weather__get_forecast');
  });
});
