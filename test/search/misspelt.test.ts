import { describe, expect, it } from 'vitest';
import { loadTools } from '../../bench/data/load-tools.ts';
import { filledCatalog, searcherOver } from './fixture.ts';

const { servers } = loadTools('bench/own/tools.jsonl');
const tools = servers.flatMap((server) => server.tools.map(({ name }) => ({ name: String(name) })));
const searcher = searcherOver(
  filledCatalog(Object.fromEntries(servers.map((server) => [server.server, server.tools]))),
);

/** One edit at a place that depends on the name alone: a letter left out, doubled, changed or swapped with the next. */
function misspell(name: string, at: number, kind: number): string {
  const place = 1 + (at % (name.length - 2));
  const [before, letter, after] = [name.slice(0, place), name[place] ?? '', name.slice(place + 1)];
  if (kind === 0) return `${before}${after}`;
  if (kind === 1) return `${before}${letter}${letter}${after}`;
  if (kind === 2) return `${before}${letter === 'x' ? 'q' : 'x'}${after}`;
  return `${before}${after[0] ?? ''}${letter}${after.slice(1)}`;
}

describe('misspelt names', () => {
  it('of one edit, or two neighbours swapped, lead to the tool among the first three', async () => {
    const long = tools.filter(({ name }) => name.replaceAll(/[^A-Za-z0-9]/g, '').length >= 8);
    const missed: string[] = [];
    for (const [index, { name }] of long.entries()) {
      const query = misspell(name, index * 7, index % 4);
      const { hits } = await searcher.search(query, { limit: 3, detail: 'name' });
      if (!hits.some(({ tool }) => tool === name)) missed.push(`${query} for ${name}`);
    }
    expect(long.length).toBeGreaterThan(200);
    expect(missed).toEqual([]);
  });

  it('of two edits as well', async () => {
    const long = tools.filter(({ name }) => name.replaceAll(/[^A-Za-z0-9]/g, '').length >= 9);
    const missed: string[] = [];
    for (const [index, { name }] of long.entries()) {
      const query = misspell(misspell(name, index * 5, index % 3), index * 11 + 3, (index + 1) % 3);
      const { hits } = await searcher.search(query, { limit: 3, detail: 'name' });
      if (!hits.some(({ tool }) => tool === name)) missed.push(`${query} for ${name}`);
    }
    expect(missed.length / long.length).toBeLessThanOrEqual(0.02);
  });
});
