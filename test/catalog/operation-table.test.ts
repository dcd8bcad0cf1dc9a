import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/catalog/database.ts';
import { OperationTable, outcomeMaxBytes } from '../../src/catalog/operation-table.ts';
import { temporaryPath } from './harness.ts';

const dayMs = 24 * 60 * 60_000;
const id = { caller: 'client:ci', key: 'k1' };
const mine = { digest: 'd', owner: 'host/1/a', aliveUntil: 50 };

function setUp(path = temporaryPath()) {
  let now = 1_000_000_000_000;
  const database = openDatabase(path);
  const table = new OperationTable(database, () => now);
  return {
    table,
    database,
    path,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('operations', () => {
  it('start once, and are kept with what came of them', () => {
    const { table, path } = setUp();
    expect(table.find(id)).toBeUndefined();
    expect([table.start(id, mine), table.start(id, { ...mine, owner: 'other' })]).toEqual([true, false]);
    expect(table.find(id)).toEqual({ ...mine, state: 'running', startedAt: 1_000_000_000_000 });
    table.settle(id, 'done', '{"content":[]}');
    expect(setUp(path).table.find(id)).toMatchObject({ state: 'done', outcome: '{"content":[]}', digest: 'd' });
  });

  it('are of one caller: the same key of another is another one', () => {
    const { table } = setUp();
    table.start(id, mine);
    expect(table.find({ ...id, caller: 'client:web' })).toBeUndefined();
    expect(table.start({ ...id, caller: 'client:web' }, mine)).toBe(true);
  });

  it('go on from a pause, for the same call alone and once', () => {
    const { table } = setUp();
    table.start(id, mine);
    expect(table.resume(id, mine)).toBe(false);
    table.settle(id, 'paused');
    const next = { ...mine, owner: 'host/2/b', aliveUntil: 99 };
    expect(table.resume(id, { ...next, digest: 'another' })).toBe(false);
    expect([table.resume(id, next), table.resume(id, next)]).toEqual([true, false]);
    expect(table.find(id)).toMatchObject({ ...next, state: 'running' });
  });

  it('tell that their process lives, while they run', () => {
    const { table } = setUp();
    const ended = { ...id, key: 'k2' };
    for (const one of [id, ended]) table.start(one, mine);
    table.settle(ended, 'unknown');
    table.keepAlive(mine.owner, 80);
    expect([table.find(id)?.aliveUntil, table.find(ended)?.aliveUntil]).toEqual([80, 50]);
  });

  it('are forgotten when they never ran, and after a day', () => {
    const { table, pass } = setUp();
    table.start(id, mine);
    table.forget(id);
    expect(table.start(id, mine)).toBe(true);
    pass(dayMs);
    expect(table.find(id)).toBeUndefined();
    expect(table.start(id, mine)).toBe(true);
  });

  it('keep no outcome that is larger than a megabyte, but that there was one', () => {
    const { table } = setUp();
    table.start(id, mine);
    table.settle(id, 'done', 'x'.repeat(outcomeMaxBytes + 1));
    expect(table.find(id)).toMatchObject({ state: 'done' });
    expect(table.find(id)?.outcome).toBeUndefined();
  });

  it('stay within bounds, the oldest go', () => {
    const { table, database, pass } = setUp();
    const outcome = 'x'.repeat(outcomeMaxBytes);
    for (let place = 0; place < 110; place += 1) {
      pass(1);
      table.start({ caller: 'c', key: `k${place}` }, mine);
      if (place > 0) table.settle({ caller: 'c', key: `k${place}` }, 'done', outcome);
    }
    const bytes = database.prepare('SELECT sum(bytes) FROM operation').pluck().get() as number;
    expect(bytes).toBeLessThanOrEqual(45 * outcomeMaxBytes);
    expect(table.find({ caller: 'c', key: 'k109' })).toMatchObject({ outcome });
    // What still runs is not forgotten for others.
    expect(table.find({ caller: 'c', key: 'k0' })).toMatchObject({ state: 'running' });
  });
});
