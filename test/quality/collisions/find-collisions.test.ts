import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToolcrib } from '../../../src/app/index.ts';
import type { CollisionReport, Toolcrib } from '../../../src/model/index.ts';
import { findCollisions } from '../../../src/quality/index.ts';
import { filledCatalog } from '../../search/fixture.ts';
import { goodTool } from '../definitions.ts';
import { judged, servers } from './tools.ts';

describe('findCollisions', () => {
  let crib: Toolcrib;
  let report: CollisionReport;

  beforeAll(async () => {
    crib = createToolcrib({ catalog: ':memory:' });
    for (const [server, tools] of Object.entries(servers)) crib.ingest(server, tools);
    await crib.settled();
    report = await crib.quality().collisions({ limit: 1_000 });
  }, 60_000);

  afterAll(() => crib.close());

  it.each(judged.close)('%s is taken for %s', (a, b) => {
    expect(scoreOf(report, a, b)).toBeGreaterThan(0);
  });

  it.each(judged.apart)('%s is not taken for %s', (a, b) => {
    expect(scoreOf(report, a, b)).toBeUndefined();
  });

  it('puts the closest first, and says from what each score comes', () => {
    const scores = report.collisions.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    expect(Object.keys(report.collisions[0]?.parts ?? {}).sort()).toEqual([
      'arguments',
      'description',
      'meaning',
      'noun',
      'verb',
    ]);
    expect(report).toMatchObject({ vectorShare: 1, found: scores.length });
  });

  it('names the words that tell two tools apart, or none', () => {
    expect(apart('tracker__list_tickets', 'helpdesk__listTickets')).toEqual([
      expect.arrayContaining(['newest', 'project']),
      ['customer'],
    ]);
    expect(apart('shop__sync_invoices_with_orders', 'shop__sync_orders_with_invoices')).toEqual([[], []]);
  });

  it('searches a copy as it searches the live catalog, vectors included', async () => {
    const query = 'photograph what the screen shows';
    const inject = { tool: 'robot__click', text: 'Photographs the screen.' };
    const rows = [{ query, kind: 'adversarial', expect: 'robot__take_screenshot', inject }];
    const { hits } = await crib.search(query, { limit: 20 });
    const report = await crib.quality().evaluate({ cases: [{ name: 'c.jsonl', text: JSON.stringify(rows[0]) }] });
    const attack = report.outcomes[0]?.attack;
    expect(report.vectorShare).toBe(1);
    expect(attack?.rankBefore).toBe(hits.findIndex(({ name }) => name === 'robot__click') + 1 || undefined);
    expect(attack?.rankAfter).toBeLessThan(attack?.rankBefore ?? 21);
  }, 60_000);

  it('keeps to a server where one is named, and to the limit', async () => {
    const { collisions, found } = await crib.quality().collisions({ server: 'robot', limit: 2 });
    expect(collisions).toHaveLength(2);
    expect(found).toBeGreaterThan(2);
    for (const { tools } of collisions) expect(tools.map(({ server }) => server)).toContain('robot');
    await expect(crib.quality().collisions({ server: 'nowhere' })).rejects.toMatchObject({ code: 'server_unknown' });
  });

  function apart(a: string, b: string): string[][] | undefined {
    const found = report.collisions.find(({ tools }) => tools.every(({ name }) => name === a || name === b));
    return found && [a, b].map((name) => found.tools.find((tool) => tool.name === name)?.apart ?? []);
  }
});

describe('findCollisions without vectors', () => {
  it('goes by words and arguments', () => {
    const catalog = filledCatalog(servers);
    const report = findCollisions({ catalog }, { limit: 1_000 });
    expect(report.vectorShare).toBe(0);
    expect(scoreOf(report, 'disk__list_folder', 'vault__list_folder')).toBeGreaterThan(0);
    expect(report.collisions[0]?.parts.meaning).toBeUndefined();
    catalog.close();
  });

  it('finds pairs among very many of one name, without looking at all of them', () => {
    const names = Array.from({ length: 500 }, (_, at) => `get_item_${at}`);
    const catalog = filledCatalog({
      many: names.map((name) => goodTool(name, { description: 'Gets one of the items.' })),
    });
    const { compared, found } = findCollisions({ catalog });
    expect(found).toBeGreaterThan(500);
    expect(compared).toBeLessThan(500 * 20);
    catalog.close();
  });

  it('looks at a small share of all pairs, and takes an empty catalog', () => {
    const names = Array.from({ length: 300 }, (_, at) => `get_thing${String.fromCharCode(97 + (at % 26))}${at}_${at}`);
    const catalog = filledCatalog({ many: names.map((name) => goodTool(name)) });
    const { compared, pairs } = findCollisions({ catalog });
    expect(pairs).toBe(44_850);
    expect(compared).toBeLessThan(pairs / 10);
    catalog.close();
    const empty = filledCatalog({});
    expect(findCollisions({ catalog: empty })).toMatchObject({ tools: 0, pairs: 0, collisions: [] });
    empty.close();
  });
});

function scoreOf({ collisions }: CollisionReport, a: string, b: string): number | undefined {
  return collisions.find(({ tools }) => tools.every(({ name }) => name === a || name === b))?.score;
}
