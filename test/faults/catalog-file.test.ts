import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openCatalog } from '../../src/catalog/index.ts';
import { migrations } from '../../src/catalog/migrations/index.ts';
import { errorCatalog, isToolcribError, type ToolcribError } from '../../src/errors/index.ts';
import { createToolcrib } from '../../src/index.ts';
import {
  meta,
  open,
  rawTool,
  temporaryFolder,
  temporaryPath,
  toolNames,
  wanted,
  wordAnalyzer,
} from '../catalog/harness.ts';
import { fixtureServer } from '../fixtures/servers/start.ts';
import { randomFrom, seed } from './seed.ts';

const opener = fixtureServer('../catalog/opener.mjs');
/** Permissions do not hold the superuser back. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Pages that any connection to a catalog may use, while a test says so. */
const bounds = vi.hoisted(() => ({ pages: 0 }));

vi.mock('better-sqlite3', async (original) => {
  const { default: Sqlite } = await original<{ default: typeof BetterSqlite }>();
  class BoundedSqlite extends Sqlite {
    constructor(...args: ConstructorParameters<typeof Sqlite>) {
      super(...args);
      if (bounds.pages > 0) this.pragma(`max_page_count = ${bounds.pages}`);
    }
  }
  return { default: BoundedSqlite };
});

function faultOf(run: () => unknown): ToolcribError {
  try {
    run();
  } catch (error) {
    if (isToolcribError(error)) return error;
    throw error;
  }
  throw new Error('Nothing went wrong.');
}

const large = (count: number) =>
  Array.from({ length: count }, (_, index) => rawTool(`large_${index}`, { description: 'x'.repeat(4_000) }));

/** A catalog file with one small list, closed. */
function storedCatalog(path = temporaryPath(), tools = [rawTool('kept')]): string {
  const catalog = openCatalog({ path, analyzer: wordAnalyzer });
  catalog.configure([wanted('s')]);
  catalog.ingest('s', tools, meta());
  catalog.close();
  return path;
}

function integrity(path: string): unknown {
  const database = new BetterSqlite(path, { readonly: true });
  try {
    return database.pragma('integrity_check', { simple: true });
  } finally {
    database.close();
  }
}

/** A file system of its own; undefined where none may be mounted. */
function mountTmpfs(options: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-tmpfs-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'toolcrib', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

const isMountable = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-tmpfs-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'toolcrib', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
})();
const mounting = isMountable ? '' : ' (skipped: a file system cannot be mounted here)';

describe('no room', () => {
  it('for a larger list, within the pages allowed, keeps the old list and says what to do', () => {
    const path = storedCatalog();
    bounds.pages = 150;
    onTestFinished(() => {
      bounds.pages = 0;
    });
    const catalog = open({ path });
    catalog.configure([wanted('s')]);
    const fault = faultOf(() => catalog.ingest('s', large(500), meta({ listedAt: 2_000 })));
    expect(fault.code).toBe('catalog_unwritable');
    expect(fault.message).toContain(path);
    expect(fault.next).toContain('room on the disk');
    expect(toolNames(catalog)).toEqual(['kept']);
    expect(catalog.servers()).toMatchObject([{ listedAt: 1_000, stale: false }]);
    expect(integrity(path)).toBe('ok');
    bounds.pages = 0;
    const again = open({ path });
    again.configure([wanted('s')]);
    expect(again.ingest('s', large(500), meta({ listedAt: 3_000 })).added).toHaveLength(500);
  });

  it.skipIf(!isMountable)(
    `on the disk, keeps the old list, searches and calls go on, and it recovers${mounting}`,
    async () => {
      const folder = mountTmpfs('size=3m') ?? '';
      const filler = openSync(join(folder, 'filler'), 'w');
      const server = (settings: object) => ({
        command: process.execPath,
        args: [fixtureServer('raw-server.mjs'), JSON.stringify({ listChanged: false, ...settings })],
      });
      const config = { embedding: 'none' as const, mode: 'discovery' as const, catalog: join(folder, 'catalog.db') };
      const crib = createToolcrib({ ...config, mcpServers: { a: server({}), b: server({ toolCount: 3_000 }) } });
      onTestFinished(() => crib.close());
      expect(await crib.sync(['a'])).toMatchObject([{ state: 'ok', tools: 10 }]);
      await crib.settled();
      for (let written = 1; written > 0; ) written = tryWrite(filler);

      const [failed] = await crib.sync(['b']);
      expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('disk is full') });
      expect((await crib.search('says the arguments back')).hits[0]?.name).toBe('a__echo');
      expect(await crib.call('a__echo', { text: 'hello' })).toMatchObject({ content: [{ text: '{"text":"hello"}' }] });
      expect(crib.listTools().filter(({ server: id }) => id === 'a')).toHaveLength(10);

      rmSync(join(folder, 'filler'));
      execFileSync('mount', ['-o', 'remount,size=64m', folder]);
      expect(await crib.sync(['b'])).toMatchObject([{ state: 'ok', tools: 3_000 }]);
      expect(integrity(config.catalog)).toBe('ok');
    },
  );

  it.skipIf(!isMountable)(`for a new catalog at all says so${mounting}`, () => {
    const folder = mountTmpfs('size=16k') ?? '';
    const fault = faultOf(() => openCatalog({ path: join(folder, 'catalog.db'), analyzer: wordAnalyzer }));
    expect(fault.code).toBe('catalog_unwritable');
  });
});

/** Bytes that went into the file; 0 when there is no room. */
function tryWrite(file: number): number {
  try {
    return writeSync(file, Buffer.alloc(4_096));
  } catch {
    return 0;
  }
}

describe('a catalog that must not be written', () => {
  it.skipIf(!isMountable)(`in a read-only folder is refused, and stays as it is${mounting}`, () => {
    const folder = mountTmpfs('size=4m') ?? '';
    const path = storedCatalog(join(folder, 'catalog.db'));
    const before = readFileSync(path);
    execFileSync('mount', ['-o', 'remount,ro', folder]);
    const fault = faultOf(() => openCatalog({ path, analyzer: wordAnalyzer }));
    expect(fault.code).toBe('catalog_unopenable');
    expect(fault.message).toContain(path);
    expect(fault.message).toMatch(/read-only|EROFS/);
    expect(readFileSync(path)).toEqual(before);
  });

  it.each([
    ['as a read-only file', 0o444, 0o755, 'catalog_unopenable'],
    ['in a folder of somebody else', 0o666, 0o555, 'catalog_unwritable'],
  ])('%s is refused with what to do, and stays as it is', (_how, fileMode, folderMode, code) => {
    const folder = temporaryFolder();
    const path = storedCatalog(join(folder, 'catalog.db'));
    const before = readFileSync(path);
    chmodSync(path, fileMode);
    chmodSync(folder, folderMode);
    const fault = JSON.parse(execFileSync(process.execPath, [opener, path], { encoding: 'utf8', ...nobody }));
    expect(fault).toMatchObject({ code, message: expect.stringContaining(path) });
    expect(fault.next).toContain('permissions');
    chmodSync(folder, 0o755);
    expect(readFileSync(path)).toEqual(before);
  });
});

describe('a catalog file that is not usable', () => {
  const damages: [string, (path: string) => void, ToolcribError['code']][] = [
    ['cut short', (path) => writeFileSync(path, readFileSync(path).subarray(0, 8_192)), 'catalog_corrupt'],
    ['overwritten at its start', (path) => overwrite(path, 0, 200), 'catalog_corrupt'],
    ['of another kind', (path) => writeFileSync(path, 'no database '.repeat(2_000)), 'catalog_corrupt'],
    [
      'of a newer version',
      (path) => {
        const database = new BetterSqlite(path);
        database.pragma(`user_version = ${migrations.length + 1}`);
        database.close();
      },
      'catalog_newer',
    ],
  ];
  it.each(damages)('%s is refused with what to do, and never changed', (_how, damage, code) => {
    const path = storedCatalog(temporaryPath(), large(50));
    damage(path);
    const before = readFileSync(path);
    const fault = faultOf(() => openCatalog({ path, analyzer: wordAnalyzer }));
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(path);
    expect(fault.next).toBe(errorCatalog[code].next);
    expect(readFileSync(path)).toEqual(before);
  });

  it('with damaged pages anywhere fails in our own words or not at all, whatever it is asked', () => {
    const path = storedCatalog(temporaryPath(), large(80));
    const size = readFileSync(path).length;
    const random = randomFrom(seed);
    const copies = temporaryFolder();
    let refusals = 0;
    for (let round = 0; round < 40; round += 1) {
      const copy = join(copies, `${round}.db`);
      copyFileSync(path, copy);
      for (let hole = 0; hole < 8; hole += 1) overwrite(copy, 100 + Math.floor(random() * (size - 600)), 500);
      const seen = attempt(() => openCatalog({ path: copy, analyzer: wordAnalyzer }));
      if (seen.fault !== undefined) refusals += 1;
      const catalog = seen.value;
      if (catalog === undefined) continue;
      for (const use of [
        () => catalog.configure([wanted('s')]),
        () => catalog.tools(),
        () => catalog.names(),
        () => catalog.history({ serverId: 's', toolName: 'large_1' }),
        () => catalog.ingest('s', [rawTool('new')], meta({ listedAt: 5_000 })),
        () => catalog.indexPending(),
        () => catalog.documentFrequencies(['does']),
      ]) {
        if (attempt(use).fault !== undefined) refusals += 1;
      }
      catalog.close();
    }
    expect(refusals).toBeGreaterThan(10);
  });
});

function overwrite(path: string, from: number, bytes: number): void {
  const content = readFileSync(path);
  content.fill(0xa5, from, from + bytes);
  writeFileSync(path, content);
}

/**
 * What it gives, or the fault that it ends with: damage that SQLite sees, as such, or what damage has made of the contents,
 * a value that is no JSON or rows that do not fit each other.
 */
function attempt<T>(run: () => T): { value?: T; fault?: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    const isOfContents =
      error instanceof SyntaxError || /^SQLITE_CONSTRAINT/.test(String((error as { code?: unknown }).code));
    if (!isOfContents) expect(isToolcribError(error, 'catalog_corrupt'), String(error)).toBe(true);
    return { fault: error };
  }
}

describe('a catalog file that another program holds', () => {
  it('is not waited for without end, and is named with what to do', { timeout: 120_000 }, () => {
    const path = storedCatalog();
    const catalog = open({ path });
    catalog.configure([wanted('s')]);
    const other = new BetterSqlite(path);
    other.exec('BEGIN EXCLUSIVE');
    const fault = faultOf(() => catalog.ingest('s', [rawTool('new')], meta()));
    expect(fault.code).toBe('catalog_locked');
    expect(fault.next).toContain('Another program');
    // What is stored can be read meanwhile, and written once it is free.
    expect(toolNames(catalog)).toEqual(['kept']);
    other.exec('ROLLBACK');
    other.close();
    expect(catalog.ingest('s', [rawTool('new')], meta()).added).toEqual(['new']);
  });

  it('is not opened by a second writer in the middle of a change', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'deep'));
    const path = storedCatalog(join(folder, 'deep', 'catalog.db'));
    const other = new BetterSqlite(path);
    other.exec('BEGIN IMMEDIATE; UPDATE server SET listed_at = 9');
    const catalog = open({ path });
    catalog.configure([wanted('s')]);
    expect(catalog.servers()).toMatchObject([{ listedAt: 1_000 }]);
    other.exec('ROLLBACK');
    other.close();
  });
});
