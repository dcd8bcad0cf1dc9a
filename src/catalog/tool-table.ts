import type { ListMeta, ToolVersion } from '../model/index.ts';
import type { Database } from './database.ts';
import { indexState } from './pending-texts.ts';
import type { KnownHash, ListedTool } from './repair-tool.ts';

/** A server may change a definition with each list, for instance by a date in a description. */
const maxVersions = 100;

/** The part of a stored tool that a new list is compared with. */
export interface StoredTool {
  key: number;
  name: string;
  hash: string;
  position: number;
  status: string;
  problem: string | null;
  hidden: number;
}

/** The statements on tool rows and their versions. Only ingest and `configure` write through it. */
export class ToolTable {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  ofServer(serverPk: number): StoredTool[] {
    return this.#statements.ofServer.all(serverPk) as StoredTool[];
  }

  /** The hashes of the definitions that are stored for a server, whatever its fingerprint, by their text. */
  knownHashes(serverId: string): KnownHash {
    const rows = this.#statements.hashes.all(serverId) as [string, string][];
    const hashes = new Map(rows);
    return (definition) => hashes.get(definition);
  }

  insert(serverPk: number, tool: ListedTool, exposedName: string, isHidden: boolean): number {
    const { lastInsertRowid } = this.#statements.insert.run({
      ...contents(tool),
      serverPk,
      name: tool.name,
      exposedName,
      hidden: isHidden ? 1 : 0,
    });
    const key = Number(lastInsertRowid);
    this.#statements.insertDefinition.run({ ...definitionOf(tool), key });
    return key;
  }

  update(key: number, tool: ListedTool): void {
    this.#statements.update.run({ ...contents(tool), key });
    this.#statements.updateDefinition.run({ ...definitionOf(tool), key });
  }

  move(key: number, position: number): void {
    this.#statements.move.run(position, key);
  }

  /** What is searched for in this tool is to be made anew. */
  markForIndex(key: number): void {
    this.#statements.markForIndex.run(indexState.absent, key);
  }

  hide(key: number, isHidden: boolean): void {
    this.#statements.hide.run(isHidden ? 1 : 0, key);
  }

  delete(key: number): void {
    this.#statements.delete.run(key);
  }

  /** A definition that is already the newest version stays one version, whatever happened to the row. */
  openVersion(serverId: string, tool: ListedTool, { listedAt, partition = '' }: ListMeta): void {
    const reopened = this.#statements.reopenVersion.run(
      serverId,
      partition,
      tool.name,
      tool.hash,
      serverId,
      partition,
      tool.name,
    );
    if (reopened.changes > 0) return;
    this.#statements.openVersion.run(serverId, partition, tool.name, tool.hash, listedAt);
    this.#statements.dropVersions.run(serverId, partition, tool.name, maxVersions);
  }

  /** Before the tool's row is changed or deleted: the version takes its definition from there. */
  closeVersion(serverId: string, name: string, { listedAt, partition = '' }: ListMeta): void {
    this.#statements.closeVersion.run(listedAt, serverId, partition, name);
  }

  /** A list that turns out to be private, or public, takes its history along. */
  moveVersions(serverId: string, from: string, to: string): void {
    this.#statements.dropAllVersions.run(serverId, to);
    this.#statements.moveVersions.run(to, serverId, from);
  }

  dropAllVersions(serverId: string, partition: string): void {
    this.#statements.dropAllVersions.run(serverId, partition);
  }

  versions(serverId: string, partition: string, name: string): ToolVersion[] {
    const rows = this.#statements.versions.all(serverId, partition, name) as {
      hash: string;
      definition: string;
      first_seen_at: number;
      replaced_at: number | null;
    }[];
    return rows.map((row) => ({
      hash: row.hash,
      definition: JSON.parse(row.definition),
      firstSeenAt: row.first_seen_at,
      ...(row.replaced_at === null ? {} : { replacedAt: row.replaced_at }),
    }));
  }
}

function contents(tool: ListedTool) {
  return {
    position: tool.position,
    status: tool.status,
    problem: tool.problem ?? null,
    hash: tool.hash,
    definitionBytes: Buffer.byteLength(tool.definition),
    // Nothing is searched for in a tool that is set aside.
    indexState: tool.status === 'set_aside' ? indexState.current : indexState.absent,
  };
}

function definitionOf(tool: ListedTool) {
  return {
    definition: tool.definition,
    inputSchema: tool.isSchemaRepaired ? JSON.stringify(tool.inputSchema) : null,
  };
}

const definitionInForce = `(
  SELECT d.definition FROM tool t JOIN server s ON s.pk = t.server_pk JOIN tool_definition d ON d.tool_key = t.key
  WHERE s.id = v.server_id AND s.partition = v.partition AND t.name = v.name AND t.hash = v.hash)`;

function prepare(database: Database) {
  return {
    ofServer: database.prepare(
      'SELECT key, name, hash, position, status, problem, hidden FROM tool WHERE server_pk = ?',
    ),
    hashes: database
      .prepare(
        `SELECT d.definition, t.hash FROM tool t JOIN server s ON s.pk = t.server_pk
         JOIN tool_definition d ON d.tool_key = t.key WHERE s.id = ?`,
      )
      .raw(),
    insert: database.prepare(
      `INSERT INTO tool (server_pk, name, exposed_name, position, status, problem, hash, definition_bytes, hidden, index_state)
       VALUES (@serverPk, @name, @exposedName, @position, @status, @problem, @hash, @definitionBytes, @hidden, @indexState)`,
    ),
    insertDefinition: database.prepare(
      'INSERT INTO tool_definition (tool_key, definition, input_schema) VALUES (@key, @definition, @inputSchema)',
    ),
    update: database.prepare(
      `UPDATE tool SET position = @position, status = @status, problem = @problem, hash = @hash,
       definition_bytes = @definitionBytes, index_state = @indexState, tokens = NULL WHERE key = @key`,
    ),
    updateDefinition: database.prepare(
      'UPDATE tool_definition SET definition = @definition, input_schema = @inputSchema WHERE tool_key = @key',
    ),
    move: database.prepare('UPDATE tool SET position = ? WHERE key = ?'),
    markForIndex: database.prepare('UPDATE tool SET index_state = ? WHERE key = ?'),
    hide: database.prepare('UPDATE tool SET hidden = ? WHERE key = ?'),
    delete: database.prepare('DELETE FROM tool WHERE key = ?'),
    reopenVersion: database.prepare(
      `UPDATE tool_version SET replaced_at = NULL, definition = NULL
       WHERE server_id = ? AND partition = ? AND name = ? AND hash = ?
       AND rowid = (SELECT max(rowid) FROM tool_version WHERE server_id = ? AND partition = ? AND name = ?)`,
    ),
    openVersion: database.prepare(
      'INSERT INTO tool_version (server_id, partition, name, hash, first_seen_at) VALUES (?, ?, ?, ?, ?)',
    ),
    closeVersion: database.prepare(
      `UPDATE tool_version AS v SET replaced_at = ?, definition = ${definitionInForce}
       WHERE server_id = ? AND partition = ? AND name = ? AND replaced_at IS NULL`,
    ),
    dropVersions: database.prepare(
      `DELETE FROM tool_version WHERE rowid IN (
         SELECT rowid FROM tool_version WHERE server_id = ? AND partition = ? AND name = ?
         ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
    ),
    moveVersions: database.prepare('UPDATE tool_version SET partition = ? WHERE server_id = ? AND partition = ?'),
    dropAllVersions: database.prepare('DELETE FROM tool_version WHERE server_id = ? AND partition = ?'),
    versions: database.prepare(
      `SELECT v.hash, v.first_seen_at, v.replaced_at, coalesce(v.definition, ${definitionInForce}) AS definition
       FROM tool_version v WHERE v.server_id = ? AND v.partition = ? AND v.name = ? ORDER BY v.rowid DESC`,
    ),
  };
}
