import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import BetterSqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Catalog, openCatalog } from '../../src/catalog/index.ts';
import { meta, open, rawTools, temporaryPath, toolNames, wanted, wordAnalyzer } from './harness.ts';

const writer = fileURLToPath(new URL('../fixtures/catalog/writer.ts', import.meta.url));

/** Runs the writer in a process of its own; rejects with its stderr when it fails. */
function write(path: string, own: string, other: string, rounds: number): Promise<{ own: string[] }> {
  const child = spawn(process.execPath, ['--import', 'tsx', writer, path, own, other, String(rounds)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const out: string[] = [];
  const errors: string[] = [];
  child.stdout.on('data', (chunk) => out.push(String(chunk)));
  child.stderr.on('data', (chunk) => errors.push(String(chunk)));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(out.join(''))) : reject(new Error(errors.join('')))));
  });
}

/** Locks a file that is not a catalog yet, as a process does that creates one, and lets go half a second later. */
const holder = `
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(process.argv[1]);
  database.exec('BEGIN IMMEDIATE');
  console.log('locked');
  setTimeout(() => database.exec('COMMIT'), 500);
`;

function both(path: string): Catalog {
  const catalog = open({ path, analyzer: { ...wordAnalyzer, id: 'writer' } });
  catalog.configure(['a', 'b'].map((id, position) => ({ ...wanted(id, position), fingerprint: 'f' })));
  return catalog;
}

describe('two processes on one file', () => {
  it('ingest and embed at the same time without an error or a lost write', async () => {
    const path = temporaryPath();
    const rounds = 150;
    const seen = await Promise.all([write(path, 'a', 'b', rounds), write(path, 'b', 'a', rounds)]);
    expect(seen).toEqual([{ own: [`a_${rounds}`, 'a_kept'] }, { own: [`b_${rounds}`, 'b_kept'] }]);
    const catalog = both(path);
    expect(toolNames(catalog)).toEqual([`a_${rounds}`, 'a_kept', `b_${rounds}`, 'b_kept']);
    expect(catalog.servers().map(({ listedAt }) => listedAt)).toEqual([rounds, rounds]);
    for (const id of ['a', 'b']) {
      const versions = catalog.history({ serverId: id, toolName: `${id}_kept` });
      expect(versions.map(({ definition }) => definition.description)).toEqual(
        Array.from({ length: 100 }, (_, index) => `round ${rounds - index}`),
      );
    }
    expect(catalog.documentFrequencies(['kept', 'round', 'new'])).toEqual({
      frequencies: new Map([
        ['kept', 2],
        ['round', 2],
        ['new', 2],
      ]),
      documents: 4,
    });
    expect(catalog.coverage('m')).toEqual({ texts: 4, embedded: 4 });
    const database = new BetterSqlite(path, { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    expect(
      database
        .prepare('SELECT count(*) FROM embedding_text WHERE key NOT IN (SELECT text_key FROM tool_embedding)')
        .pluck()
        .get(),
    ).toBe(0);
    database.close();
  });

  it('may create the file at the same moment', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const path = temporaryPath();
      await Promise.all(['a', 'b', 'c', 'd'].map((id) => write(path, id, 'z', 1)));
      const catalog = open({ path, analyzer: { ...wordAnalyzer, id: 'writer' } });
      catalog.configure(['a', 'b', 'c', 'd'].map((id, position) => ({ ...wanted(id, position), fingerprint: 'f' })));
      expect(catalog.servers().map(({ toolCount }) => toolCount)).toEqual([2, 2, 2, 2]);
    }
  });

  it('wait for each other at the switch to the write-ahead log, where SQLite itself does not', async () => {
    const path = temporaryPath();
    const child = spawn(process.execPath, ['--input-type=module', '--eval', holder, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    const ended = once(child, 'close');
    expect(open({ path }).servers()).toEqual([]);
    expect(await ended).toEqual([0, null]);
  });

  it('see what the other writes within a second', async () => {
    const path = temporaryPath();
    const catalog = both(path);
    const generation = catalog.generation();
    const vectors = catalog.vectorGeneration();
    expect([catalog.names(), catalog.coverage('m'), catalog.missing('m', 5)]).toEqual([
      [],
      { texts: 0, embedded: 0 },
      [],
    ]);
    await write(path, 'a', 'b', 1);
    const deadline = Date.now() + 1_000;
    while (catalog.generation() === generation && Date.now() < deadline) await sleep(10);
    expect(catalog.generation()).toBeGreaterThan(generation);
    expect(catalog.vectorGeneration()).toBeGreaterThan(vectors);
    expect(catalog.names().map(({ toolName }) => toolName)).toEqual(['a_1', 'a_kept']);
    expect(catalog.coverage('m')).toEqual({ texts: 2, embedded: 2 });
    expect(catalog.matrix('m').toolKeys).toHaveLength(2);
    expect(catalog.documentFrequencies(['new']).documents).toBe(2);
  });
});

describe('two connections to one file', () => {
  const pair = () => {
    const path = temporaryPath();
    return [open({ path }), open({ path })] as const;
  };

  it('share names, renames and removals, without telling each other', () => {
    const [one, two] = pair();
    for (const catalog of [one, two]) catalog.configure([wanted('s')]);
    one.ingest('s', rawTools('a', 'b'), meta());
    expect(two.names().map(({ exposedName }) => exposedName)).toEqual(['s__a', 's__b']);
    two.configure([wanted('s')], { nameMaxLength: 64, prefix: false });
    expect(one.names().map(({ exposedName }) => exposedName)).toEqual(['a', 'b']);
    two.ingest('s', rawTools('b'), meta());
    expect(one.names().map(({ toolName }) => toolName)).toEqual(['b']);
    expect(one.missing('m', 5).map(({ text }) => text)).toEqual(['Does b.']);
    two.put(
      'm',
      two.missing('m', 5).map(({ textHash }) => ({ textHash, vector: new Float32Array([1]) })),
    );
    expect(one.missing('m', 5)).toEqual([]);
    expect(one.coverage('m')).toEqual({ texts: 1, embedded: 1 });
  });

  it('each see the servers of their own config', () => {
    const [one, two] = pair();
    one.configure([wanted('a'), wanted('b', 1)]);
    two.configure([{ ...wanted('a'), fingerprint: 'f2' }]);
    one.ingest('a', rawTools('x'), meta());
    one.ingest('b', rawTools('y'), meta());
    expect(toolNames(two)).toEqual([]);
    two.ingest('a', rawTools('x'), meta({ fingerprint: 'f2' }));
    expect([toolNames(one), toolNames(two)]).toEqual([['y'], ['x']]);
  });

  it('say so once they are closed', () => {
    const catalog = openCatalog({ path: temporaryPath(), analyzer: wordAnalyzer });
    catalog.close();
    expect(() => catalog.tools()).toThrow(/not open/);
    expect(() => catalog.close()).not.toThrow();
  });
});
