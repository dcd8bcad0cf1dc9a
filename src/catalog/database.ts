import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { type ErrorCode, messageOf, ToolcribError } from '../errors/index.ts';
import { steadyNow } from '../model/index.ts';
import { migrations } from './migrations/index.ts';

export type Database = BetterSqlite.Database;

/** Another process holds the write lock for one ingest at most: a second for very large lists, so this is ample. */
export const busyTimeoutMs = 10_000;
/** Another process switches a new file to its write-ahead log within milliseconds. */
const retryDelayMs = 5;

/**
 * Opens or creates a catalog file, readable by its owner only, and brings it to the newest schema. Several processes may
 * do so at once. Throws `catalog_unopenable`, `catalog_corrupt`, `catalog_newer`, `catalog_locked`, `catalog_unwritable`.
 */
export function openDatabase(path: string): Database {
  try {
    if (path !== ':memory:') createPrivateFile(path);
    const database = new BetterSqlite(path, { timeout: busyTimeoutMs });
    try {
      refuseForeign(database, path);
      useWriteAheadLog(database);
      database.pragma('synchronous = NORMAL');
      database.pragma('foreign_keys = ON');
      database.pragma('temp_store = MEMORY');
      migrate(database, path);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    throw asOpeningFault(error, path);
  }
}

function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

/** Asked in one statement, and so of one state of the file: another process may be creating the tables right now. */
function refuseForeign(database: Database, path: string): void {
  const isForeign = database
    .prepare('SELECT (SELECT user_version FROM pragma_user_version) = 0 AND EXISTS (SELECT 1 FROM sqlite_master)')
    .pluck()
    .get();
  if (isForeign === 1) {
    throw new ToolcribError('catalog_corrupt', `${path} is not a catalog: it holds the tables of another program.`, {
      next: 'Name another file with --catalog.',
    });
  }
}

/**
 * The one step at which SQLite does not wait for a lock by itself: of several processes that create a file together, those
 * that come second would fail.
 */
function useWriteAheadLog(database: Database): void {
  const giveUpAt = steadyNow() + busyTimeoutMs;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
      if (!isBusy || steadyNow() >= giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, retryDelayMs);
    }
  }
}

/** The version is read again inside the write lock: another process may have migrated in between. */
function migrate(database: Database, path: string): void {
  const version = () => database.pragma('user_version', { simple: true }) as number;
  if (version() === migrations.length) return;
  const migrateAll = database.transaction(() => {
    const from = version();
    if (from > migrations.length) throw newerCatalog(path, from);
    for (const migration of migrations.slice(from)) migration(database);
    database.pragma(`user_version = ${migrations.length}`);
  });
  migrateAll.immediate();
}

function newerCatalog(path: string, version: number): ToolcribError {
  return new ToolcribError(
    'catalog_newer',
    `${path} has schema version ${version}; this toolcrib knows versions up to ${migrations.length}.`,
  );
}

/** What SQLite's codes mean to whoever has to mend it; the first that fits. */
const faults: readonly [prefix: string, code: ErrorCode, what: string][] = [
  ['SQLITE_NOTADB', 'catalog_corrupt', 'is not a usable catalog'],
  ['SQLITE_CORRUPT', 'catalog_corrupt', 'is not a usable catalog'],
  ['SQLITE_BUSY', 'catalog_locked', 'is in use'],
  ['SQLITE_LOCKED', 'catalog_locked', 'is in use'],
  ['SQLITE_FULL', 'catalog_unwritable', 'cannot be written'],
  ['SQLITE_READONLY', 'catalog_unwritable', 'cannot be written'],
  ['SQLITE_IOERR', 'catalog_unwritable', 'cannot be read or written'],
];

/** A fault of the file as a `ToolcribError` that names it; any other unchanged. */
export function asFileFault(error: unknown, path: string): unknown {
  const sqliteCode = codeOf(error);
  const [, code, what] = faults.find(([prefix]) => sqliteCode?.startsWith(prefix)) ?? [];
  if (code === undefined) return error;
  return new ToolcribError(code, `${path} ${what}: ${messageOf(error)}.`, { cause: error });
}

/** While a catalog is opened, whatever the system or SQLite objects to is a fault of its file. */
export function asOpeningFault(error: unknown, path: string): unknown {
  const fault = asFileFault(error, path);
  if (fault instanceof ToolcribError || codeOf(error) === undefined) return fault;
  return new ToolcribError('catalog_unopenable', `${path}: ${messageOf(error)}.`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && !(error instanceof ToolcribError) ? code : undefined;
}
