import { describe, expect, it } from 'vitest';
import { TypeAhead } from '../../src/search/type-ahead.ts';
import { filledCatalog } from './fixture.ts';

const typeAhead = new TypeAhead(filledCatalog());

async function complete(prefix: string, limit?: number): Promise<string[]> {
  return (await typeAhead.complete(prefix, limit)).map(({ exposedName }) => exposedName);
}

describe('TypeAhead', () => {
  it.each([
    [
      'cre',
      [
        'jira__Create-Issue',
        'linear__createIssue',
        'github__create_issue',
        'github__create_pull_request',
        'wiki__page_create',
      ],
    ],
    ['create iss', ['jira__Create-Issue', 'linear__createIssue', 'github__create_issue']],
    ['github list', ['github__list_issues']],
    ['createIs', ['jira__Create-Issue', 'linear__createIssue', 'github__create_issue']],
    ['xyz', []],
    ['zz', []],
    ['gett', []],
    ['isue', []],
    ['creaate', []],
    ['  ', []],
  ])('%j', async (prefix, names) => {
    expect((await complete(prefix)).sort()).toEqual([...names].sort());
  });

  it('gives shorter names first, no more than asked for', async () => {
    const [first = '', second = ''] = await complete('cre', 2);
    expect(first.length).toBeLessThanOrEqual(second.length);
    expect(await complete('cre', 2)).toHaveLength(2);
  });

  it.each([
    [null, 5],
    ['cre', 0],
    ['cre', 1.5],
    ['cre', '5'],
  ])('refuses %j with limit %j', async (prefix, limit) => {
    const refused = typeAhead.complete(prefix as string, limit as number);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('follows the catalog', async () => {
    const catalog = filledCatalog();
    const following = new TypeAhead(catalog);
    expect(await following.complete('brandnew')).toEqual([]);
    catalog.ingest('s', [{ name: 'brandnew', inputSchema: { type: 'object' } }], {
      fingerprint: 'ingest',
      listedAt: 1,
      trigger: 'ingest',
    });
    catalog.configure([{ id: 's', fingerprint: 'ingest' } as never]);
    expect((await following.complete('brandn')).map(({ toolName }) => toolName)).toEqual(['brandnew']);
  });
});
