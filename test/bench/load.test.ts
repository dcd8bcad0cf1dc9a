import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { loadQueries } from '../../bench/data/load-queries.ts';
import { loadTools } from '../../bench/data/load-tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, rows: object[]): string {
  const path = join(folder, name);
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

it('reads tools a line each, packed, with ids that differ from names', () => {
  const set = loadTools(
    write('tools.jsonl.gz', [
      { id: 't1', server: 's', name: 'read', description: 'd', inputSchema: {}, serverDescription: 'x' },
      { id: 't2', server: 'r', name: 'read', description: 'd', inputSchema: {} },
    ]),
  );
  expect(set.servers).toEqual([
    { server: 's', tools: [{ name: 'read', description: 'd', inputSchema: {} }], description: 'x' },
    { server: 'r', tools: [{ name: 'read', description: 'd', inputSchema: {} }] },
  ]);
  expect([set.labelOf('s', 'read'), set.labelOf('r', 'read')]).toEqual(['t1', 't2']);
});

it('reads servers a line each, labelled server/name', () => {
  const set = loadTools(write('servers.jsonl', [{ server: 's', tools: [{ name: 'a' }, { name: 'b' }] }]));
  expect(set.toolCount).toBe(2);
  expect(set.labelOf('s', 'b')).toBe('s/b');
});

it('makes gold groups as the label formats mean them', () => {
  const gold = [
    { tool: 's/a', grade: 2 },
    { tool: 's/b', grade: 2 },
    { tool: 's/c', grade: 1 },
  ];
  const queries = loadQueries(
    write('queries.jsonl', [
      { id: '1', query: 'q', relevant: ['a', ['b', 'c']] },
      { id: '2', query: 'q', gold, lang: 'de', category: 'task' },
      { id: '3', query: 'q', gold, need: [['s/a'], ['s/b', 's/c']] },
      { id: '4', query: 'q', gold: [], category: 'none' },
    ]),
  );
  expect(queries.map(({ groups }) => groups)).toEqual([
    [['a'], ['b', 'c']],
    [['s/a', 's/b']],
    [['s/a'], ['s/b', 's/c']],
    [],
  ]);
  expect(queries[1]).toMatchObject({ lang: 'de', category: 'task' });
});
