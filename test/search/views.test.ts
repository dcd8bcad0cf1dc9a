import { describe, expect, it } from 'vitest';
import type { CatalogView } from '../../src/model/index.ts';
import { createCallerScope } from '../../src/policy/index.ts';
import { ScopedCatalog } from '../../src/router/scoped-catalog.ts';
import { fakeEmbedder, filledCatalog, searcherOver, servers } from './fixture.ts';

function setUp(...scopes: string[]) {
  const catalog = filledCatalog();
  const view: CatalogView = new ScopedCatalog(
    catalog,
    createCallerScope(scopes, () => false),
  );
  return { catalog, view };
}

describe('a search with a view', () => {
  it('finds what the view shows, however many others fit better', async () => {
    const { catalog, view } = setUp('weather', 'filesystem:move_*');
    const searcher = searcherOver(catalog);
    const { hits } = await searcher.search('create an issue about a file that was moved', { limit: 20 }, view);
    expect(hits.map(({ name }) => name)).toEqual(['filesystem__move_file']);
    const everything = await searcher.search('create an issue', { limit: 20 });
    expect(everything.hits.length).toBeGreaterThan(3);
  });

  it('gives the scores of a catalog that holds nothing else', async () => {
    const { catalog, view } = setUp('github', 'filesystem');
    const { github = [], filesystem = [] } = servers;
    const small = filledCatalog({ github, filesystem });
    const query = 'list the issues of a repository';
    const [seen, alone] = [
      await searcherOver(catalog).search(query, { limit: 20 }, view),
      await searcherOver(small).search(query, { limit: 20 }),
    ];
    expect(seen).toEqual(alone);
  });

  it('does not say how much there is besides', async () => {
    const { catalog, view } = setUp('weather');
    const searcher = searcherOver(catalog, { embedder: fakeEmbedder() });
    const { notes } = await searcher.search('forecast', {}, view);
    expect(notes.map(({ code }) => code)).toEqual(['vectors_pending']);
    expect(notes[0]?.message).not.toMatch(/\d/);
  });

  it('has pages that are no use with another view', async () => {
    const { catalog, view } = setUp('github', 'linear');
    const searcher = searcherOver(catalog);
    const { nextCursor: cursor = '' } = await searcher.search('create an issue', { limit: 1 }, view);
    expect((await searcher.search('create an issue', { limit: 1, cursor }, view)).hits).toHaveLength(1);
    for (const elsewhere of [
      undefined,
      new ScopedCatalog(
        catalog,
        createCallerScope(['jira'], () => false),
      ),
    ]) {
      const reading = searcher.search('create an issue', { limit: 1, cursor }, elsewhere);
      await expect(reading).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
  });

  it('follows the catalog', async () => {
    const { catalog, view } = setUp('weather');
    const searcher = searcherOver(catalog);
    expect((await searcher.search('tide table', {}, view)).hits).toEqual([]);
    const tide = { name: 'tide_table', description: 'Tides of a day.', inputSchema: { type: 'object' } };
    catalog.ingest('weather', [tide], { fingerprint: 'ingest', listedAt: 1, trigger: 'list_changed' });
    expect((await searcher.search('tide table', {}, view)).hits.map(({ name }) => name)).toEqual([
      'weather__tide_table',
    ]);
  });
});
