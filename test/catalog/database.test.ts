import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/catalog/index.ts';
import { migrations } from '../../src/catalog/migrations/index.ts';
import { isToolcribError, type ToolcribError } from '../../src/errors/index.ts';
import { meta, open, rawTool, temporaryFolder, temporaryPath, wordAnalyzer } from './harness.ts';

function refusal(path: string): ToolcribError {
  try {
    openCatalog({ path, analyzer: wordAnalyzer }).close();
  } catch (error) {
    if (isToolcribError(error)) return error;
    throw error;
  }
  throw new Error(`${path} was opened`);
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('opening a catalog file', () => {
  it('makes the file and its folders, for the owner alone', () => {
    const path = join(temporaryFolder(), 'a', 'b', 'catalog.db');
    open({ path }).ingest('s', [rawTool('t')], meta());
    expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual(['600', '600', '600']);
    expect(modeOf(join(path, '..'))).toBe('700');
  });

  it('takes an existing empty file', () => {
    const path = temporaryPath();
    writeFileSync(path, '');
    expect(open({ path }).servers()).toEqual([]);
  });

  it('leaves the permissions of an existing file to its owner', () => {
    const path = temporaryPath();
    writeFileSync(path, '');
    chmodSync(path, 0o640);
    open({ path });
    expect(modeOf(path)).toBe('640');
  });

  it('refuses a file of a newer version and leaves it as it is', () => {
    const path = temporaryPath();
    open({ path }).close();
    const database = new BetterSqlite(path);
    database.pragma(`user_version = ${migrations.length + 1}`);
    database.close();
    const error = refusal(path);
    expect(error.code).toBe('catalog_newer');
    expect(error.message).toContain(path);
    expect(error.message).toContain(String(migrations.length + 1));
  });

  it('refuses a text file and leaves it as it is', () => {
    const path = temporaryPath();
    const text = 'Not a database, but somebody wants it.\n'.repeat(100);
    writeFileSync(path, text);
    const error = refusal(path);
    expect(error.code).toBe('catalog_corrupt');
    expect(error.message).toContain(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('refuses the database of another program and adds nothing to it', () => {
    const path = temporaryPath();
    const database = new BetterSqlite(path);
    database.exec('CREATE TABLE bookmarks (url TEXT)');
    database.close();
    expect(refusal(path).code).toBe('catalog_corrupt');
    const again = new BetterSqlite(path, { readonly: true });
    expect(again.prepare('SELECT name FROM sqlite_master').pluck().all()).toEqual(['bookmarks']);
    again.close();
  });

  it('says so when a file is damaged', () => {
    const path = temporaryPath();
    const catalog = open({ path });
    catalog.ingest(
      's',
      Array.from({ length: 200 }, (_, index) => rawTool(`t${index}`)),
      meta(),
    );
    catalog.close();
    truncateSync(path, 8_192);
    expect(refusal(path).code).toBe('catalog_corrupt');
  });

  it.each([
    ['a folder', (folder: string) => mkdirSync(join(folder, 'catalog.db'))],
    ['a path through a file', (folder: string) => writeFileSync(join(folder, 'file'), ''), 'file/catalog.db'],
  ])('refuses %s as unopenable', (_case, prepare, name = 'catalog.db') => {
    const folder = temporaryFolder();
    prepare(folder);
    const error = refusal(join(folder, name));
    expect(error.code).toBe('catalog_unopenable');
    expect(error.message).toContain(name.split('/').at(-1));
  });
});
