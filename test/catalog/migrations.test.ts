import BetterSqlite, { type Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/catalog/index.ts';
import { migrations } from '../../src/catalog/migrations/index.ts';
import { found, meta, open, rawTool, temporaryPath, toolNames, wanted, wordAnalyzer } from './harness.ts';

/** Rows as the version with this many migrations writes them. Add a step here with each migration that adds columns. */
function fill(database: Database, version: number): void {
  if (version === 0) return;
  const definition = JSON.stringify(rawTool('old_tool', { description: 'Opens the vault.' }));
  database.exec(`
    INSERT INTO meta VALUES ('analyzer', 'words/0'), ('naming', '[49,true]');
    INSERT INTO server (pk, id, fingerprint, listed_at, description) VALUES (7, 'old', 'f1', 500, '');
  `);
  database
    .prepare(
      `INSERT INTO tool (key, server_pk, name, exposed_name, position, status, hash, definition_bytes)
       VALUES (70, 7, 'old_tool', 'wrong_name', 0, 'ok', 'h', ?)`,
    )
    .run(definition.length);
  database.prepare('INSERT INTO tool_definition (tool_key, definition) VALUES (70, ?)').run(definition);
  database.exec("INSERT INTO tool_version (server_id, name, hash, first_seen_at) VALUES ('old', 'old_tool', 'h', 400)");
  database.exec("INSERT INTO tool_text (rowid, name) VALUES (70, 'outdated tokens')");
  database.exec(`
    INSERT INTO embedding_text VALUES (5, 'outdated', 'outdated text');
    INSERT INTO tool_embedding VALUES (70, 0, 5);
    INSERT INTO vector (text_key, model_id, value) VALUES (5, 'm', x'0000803f7f000000');
  `);
  if (version >= 2) database.exec('UPDATE tool SET tokens = 42');
}

function fileOfVersion(version: number): string {
  const path = temporaryPath();
  const database = new BetterSqlite(path);
  for (const migration of migrations.slice(0, version)) migration(database);
  database.pragma(`user_version = ${version}`);
  fill(database, version);
  database.close();
  return path;
}

function inspect<Result>(path: string, read: (database: Database) => Result): Result {
  const database = new BetterSqlite(path, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

const schemaOf = (path: string) =>
  inspect(path, (database) =>
    database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name').all(),
  );

function freshFile(): string {
  const path = temporaryPath();
  openCatalog({ path, analyzer: wordAnalyzer }).close();
  return path;
}

const earlier = migrations.map((_migration, version) => version);

describe('migrations', () => {
  it.each([...earlier, migrations.length])('bring a file of version %i to the newest schema', (version) => {
    const path = fileOfVersion(version);
    open({ path });
    expect(schemaOf(path)).toEqual(schemaOf(freshFile()));
    expect(inspect(path, (database) => database.pragma('user_version', { simple: true }))).toBe(migrations.length);
  });

  it.each([...earlier.slice(1), migrations.length])(
    'keep the rows of version %i, newly named and indexed',
    (version) => {
      const catalog = open({ path: fileOfVersion(version) });
      catalog.configure([wanted('old')]);
      expect(catalog.servers()).toMatchObject([{ id: 'old', listedAt: 500, toolCount: 1, stale: false }]);
      expect(catalog.tool({ serverId: 'old', toolName: 'old_tool' })).toMatchObject({
        key: 70,
        exposedName: 'old__old_tool',
        description: 'Opens the vault.',
      });
      expect(catalog.history({ serverId: 'old', toolName: 'old_tool' })).toMatchObject([
        { hash: 'h', firstSeenAt: 400 },
      ]);
      expect(found(catalog, ['vault'])).toEqual(['old_tool']);
      expect(found(catalog, ['outdated'])).toEqual([]);
      expect(catalog.coverage('m')).toEqual({ texts: 1, embedded: 0 });
    },
  );

  it.each([...earlier.slice(1), migrations.length])('let a file of version %i be written to', (version) => {
    const catalog = open({ path: fileOfVersion(version) });
    catalog.configure([wanted('old')]);
    const report = catalog.ingest('old', [rawTool('old_tool'), rawTool('new_tool')], meta());
    expect(report).toMatchObject({ added: ['new_tool'], changed: ['old_tool'] });
    expect(toolNames(catalog)).toEqual(['new_tool', 'old_tool']);
  });

  it('make strict tables only, in a file with a write-ahead log', () => {
    const path = freshFile();
    const tables = inspect(path, (database) => database.pragma('table_list')) as {
      schema: string;
      name: string;
      type: string;
      strict: number;
    }[];
    const own = tables.filter(
      ({ schema, type, name }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'),
    );
    expect(own.length).toBeGreaterThan(6);
    expect(own.filter(({ strict }) => strict !== 1)).toEqual([]);
    expect(inspect(path, (database) => database.pragma('journal_mode', { simple: true }))).toBe('wal');
  });
});
