import { describe, expect, it } from 'vitest';
import type { IngestReport } from '../../src/model/index.ts';
import { type ListTrigger, ListTurns } from '../../src/upstream/list-turns.ts';

/** Turns whose lists end one at a time, as told. */
function setUp() {
  const asked: ListTrigger[] = [];
  const ends: ((report: IngestReport | Error) => void)[] = [];
  const closing = new AbortController();
  const turns = new ListTurns({
    serverId: 'srv',
    closing: closing.signal,
    fetchList: (trigger) => {
      asked.push(trigger);
      return new Promise((resolve, reject) => {
        ends.push((end) => (end instanceof Error ? reject(end) : resolve(end)));
      });
    },
  });
  const end = (outcome: IngestReport | Error = report) => ends.shift()?.(outcome);
  return { turns, asked, end, closing };
}

const report = { serverId: 'srv', added: [], changed: [], removed: [] } as unknown as IngestReport;

describe('ListTurns', () => {
  it('gives the list under way to whoever asks meanwhile', async () => {
    const { turns, asked, end } = setUp();
    const lists = [turns.take('first'), turns.take('sync'), turns.take('expired')];
    expect(asked).toEqual(['first']);
    end();
    expect(await Promise.all(lists)).toEqual([report, report, report]);
    expect(turns.current).toBeUndefined();
  });

  it.each(['ends', 'fails'])(
    'takes one more for all that ask after a change, when the one under way %s',
    async (how) => {
      const { turns, asked, end } = setUp();
      const current = turns.take('first').catch(() => 'failed');
      const later = [turns.take('list_changed'), turns.take('list_changed')];
      expect(asked).toEqual(['first']);
      end(how === 'fails' ? new Error('gone') : report);
      await current;
      await expect.poll(() => asked, { timeout: 10_000 }).toEqual(['first', 'list_changed']);
      end();
      expect(await Promise.all(later)).toEqual([report, report]);
      expect(asked).toHaveLength(2);
    },
  );

  it('takes none once toolcrib closes, not even one that waits', async () => {
    const { turns, asked, end, closing } = setUp();
    const current = turns.take('first');
    const next = turns.take('list_changed');
    closing.abort();
    await expect(turns.take('sync')).rejects.toMatchObject({ code: 'closed', details: { mayHaveRun: false } });
    end();
    await current;
    await expect(next).rejects.toMatchObject({ code: 'closed' });
    expect(asked).toEqual(['first']);
  });

  it('takes one after a notice, unless the connection ended before', async () => {
    const { turns, asked, end } = setUp();
    turns.notice();
    expect(turns.hasNotice).toBe(true);
    turns.dropNotices();
    expect(turns.hasNotice).toBe(false);
    turns.notice();
    await expect.poll(() => asked, { timeout: 10_000 }).toEqual(['list_changed']);
    end(new Error('nobody waits for it'));
  });
});
