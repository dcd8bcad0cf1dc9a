import type { JsonValue, ListMeta, ToolVersion } from '../model/index.ts';
import type { Database } from './database.ts';
import { indexState } from './pending-texts.ts';
import type { KnownHash, ListedTool } from './repair-tool.ts';

/** A server may change a definition with each list, for instance by a date in a description. */
const maxVersions = 100;
/** Versions of one and the same definition. */
const maxReturns = 2;

/** The part of a stored tool that a new list is compared with. */
export interface StoredTool {
  key: number;
  name: string;
  /** Of what the server listed last; also that of the row unless it is held as changed. */
  hash: string;
  /** Of the definition in the row. */
  acceptedHash: string;
  position: number;
  status: string;
  problem: string | null;
  hidden: number;
  hold: '' | 'changed' | 'quarantined';
  /** 1 when a person approved the definition in the row. */
  approved: number;
}

/** What is held back of a tool. */
export interface HoldState {
  hold: StoredTool['hold'];
  reason?: string;
  isApproved: boolean;
  /** Of what the server listed, where that is not the definition in the row. */
  listedHash?: string;
}

/** How a version stands: 0 not accepted, 1 by the rules, 2 by a person. */
export type Acceptance = 0 | 1 | 2;

/** A definition that was accepted once. */
export interface AcceptedVersion {
  hash: string;
  definition: JsonValue;
  isApproved: boolean;
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
    // A map looks for a text by its hash, even when it is empty: of a server's first list, that is all of it.
    if (rows.length === 0) return () => undefined;
    const hashes = new Map(rows);
    return (definition) => hashes.get(definition);
  }

  /** The same by name: of what was listed last, and of what is in the row. */
  hashesByName(serverId: string): Map<string, string[]> {
    const rows = this.#statements.hashesByName.all(serverId) as [string, string, string | null][];
    const hashes = new Map<string, string[]>();
    for (const [name, hash, listed] of rows)
      hashes.set(name, [...(hashes.get(name) ?? []), hash, ...(listed === null ? [] : [listed])]);
    return hashes;
  }

  insert(
    serverPk: number,
    tool: ListedTool,
    names: { exposedName: string; skeleton: string | null },
    isHidden: boolean,
  ): number {
    const { lastInsertRowid } = this.#statements.insert.run({
      ...contents(tool),
      ...names,
      serverPk,
      name: tool.name,
      hidden: isHidden ? 1 : 0,
    });
    const key = Number(lastInsertRowid);
    this.#statements.insertDefinition.run({ ...definitionOf(tool), key });
    return key;
  }

  /** The row takes this definition, to be scanned anew; what is held back stays as it is until `setHold`. */
  update(key: number, tool: ListedTool): void {
    this.#statements.update.run({ ...contents(tool), key });
    this.#statements.updateDefinition.run({ ...definitionOf(tool), key });
  }

  setHold(key: number, { hold, reason, isApproved, listedHash }: HoldState): void {
    this.#statements.setHold.run(hold, reason ?? null, isApproved ? 1 : 0, listedHash ?? null, key);
  }

  /** The definition in a tool's row. */
  definition(key: number): AcceptedVersion | undefined {
    const row = this.#statements.definition.get(key) as
      | { hash: string; definition: string; approved: number }
      | undefined;
    return row && { hash: row.hash, definition: JSON.parse(row.definition), isApproved: row.approved === 1 };
  }

  /** How far a definition was accepted under any of these partitions, now or earlier. */
  acceptance(serverId: string, partitions: readonly string[], name: string, hash: string): Acceptance {
    const found = partitions.map((partition) => this.#statements.acceptance.get(serverId, partition, name, hash));
    return Math.max(0, ...(found as (number | null)[]).map((value) => value ?? 0)) as Acceptance;
  }

  /** The definition that was accepted last, of the first of these partitions that has one. */
  lastAccepted(serverId: string, partitions: readonly string[], name: string): AcceptedVersion | undefined {
    for (const partition of partitions) {
      const row = this.#statements.lastAccepted.get(serverId, partition, name) as
        | { hash: string; definition: string | null; accepted: Acceptance }
        | undefined;
      if (row?.definition != null) {
        return { hash: row.hash, definition: JSON.parse(row.definition), isApproved: row.accepted === 2 };
      }
    }
    return undefined;
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

  /** The names under which a server ever listed a tool that is still remembered. */
  versionedNames(serverId: string): ReadonlySet<string> {
    return new Set(this.#statements.versionedNames.all(serverId) as string[]);
  }

  /**
   * A definition that is already the newest version stays one version, whatever happened to the row. One that comes back
   * again and again is kept twice at most: a server that flaps between two fills no history. Nothing is looked for where the
   * tool was never listed (`isSeen` false). False when the definition was seen before.
   */
  openVersion(
    serverId: string,
    tool: ListedTool,
    { listedAt, partition = '' }: ListMeta,
    { accepted, isInRow, isSeen }: { accepted: Acceptance; isInRow: boolean; isSeen: boolean },
  ): boolean {
    const definition = isInRow ? null : tool.definition;
    const id = { serverId, partition, name: tool.name, hash: tool.hash };
    const openFirst = () => this.#statements.openVersion.run({ ...id, definition, accepted, listedAt, times: 1 });
    if (!isSeen) {
      openFirst();
      return true;
    }
    const reopened = this.#statements.reopenVersion.run({ ...id, definition, accepted });
    if (reopened.changes > 0) return false;
    const earlier = this.#statements.sameVersions.all(id) as {
      row: number;
      first_seen_at: number;
      times_seen: number;
    }[];
    const [last] = earlier;
    if (last !== undefined && earlier.length >= maxReturns) {
      this.#statements.dropVersion.run(last.row);
      const { first_seen_at: listedFirst, times_seen: times } = last;
      this.#statements.openVersion.run({ ...id, definition, accepted, listedAt: listedFirst, times: times + 1 });
      return false;
    }
    openFirst();
    this.#statements.dropVersions.run({ ...id, limit: maxVersions });
    return earlier.length === 0;
  }

  /** The open version is accepted by a person, and its definition is in the row by now. */
  approveVersion(serverId: string, partition: string, name: string, hash: string): void {
    this.#statements.approveVersion.run({ serverId, partition, name, hash });
  }

  /** The definition that the server lists and that is not in the row, with its hash. */
  offered(serverId: string, partition: string, name: string): { hash: string; definition: JsonValue } | undefined {
    const row = this.#statements.offered.get(serverId, partition, name) as
      | { hash: string; definition: string }
      | undefined;
    return row && { hash: row.hash, definition: JSON.parse(row.definition) };
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
      accepted: Acceptance;
      times_seen: number;
    }[];
    return rows.map((row) => ({
      hash: row.hash,
      definition: JSON.parse(row.definition),
      firstSeenAt: row.first_seen_at,
      ...(row.replaced_at === null ? {} : { replacedAt: row.replaced_at }),
      accepted: acceptanceInWords[row.accepted],
      timesSeen: row.times_seen,
    }));
  }
}

const acceptanceInWords = { 0: 'no', 1: 'rules', 2: 'person' } as const;

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

const versionsOfTool = 'server_id = @serverId AND partition = @partition AND name = @name';

function prepare(database: Database) {
  return {
    ofServer: database.prepare(
      `SELECT key, name, coalesce(listed_hash, hash) AS hash, hash AS acceptedHash, position, status, problem, hidden,
         hold, approved FROM tool WHERE server_pk = ?`,
    ),
    hashes: database
      .prepare(
        `SELECT d.definition, t.hash FROM tool t JOIN server s ON s.pk = t.server_pk
         JOIN tool_definition d ON d.tool_key = t.key WHERE s.id = ?`,
      )
      .raw(),
    hashesByName: database
      .prepare('SELECT t.name, t.hash, t.listed_hash FROM tool t JOIN server s ON s.pk = t.server_pk WHERE s.id = ?')
      .raw(),
    insert: database.prepare(
      `INSERT INTO tool (server_pk, name, exposed_name, position, status, problem, hash, definition_bytes, hidden,
         index_state, skeleton)
       VALUES (@serverPk, @name, @exposedName, @position, @status, @problem, @hash, @definitionBytes, @hidden,
         @indexState, @skeleton)`,
    ),
    insertDefinition: database.prepare(
      'INSERT INTO tool_definition (tool_key, definition, input_schema) VALUES (@key, @definition, @inputSchema)',
    ),
    update: database.prepare(
      `UPDATE tool SET position = @position, status = @status, problem = @problem, hash = @hash,
       definition_bytes = @definitionBytes, index_state = @indexState, tokens = NULL, findings = NULL WHERE key = @key`,
    ),
    updateDefinition: database.prepare(
      'UPDATE tool_definition SET definition = @definition, input_schema = @inputSchema WHERE tool_key = @key',
    ),
    move: database.prepare('UPDATE tool SET position = ? WHERE key = ?'),
    markForIndex: database.prepare('UPDATE tool SET index_state = ? WHERE key = ?'),
    hide: database.prepare('UPDATE tool SET hidden = ? WHERE key = ?'),
    delete: database.prepare('DELETE FROM tool WHERE key = ?'),
    setHold: database.prepare('UPDATE tool SET hold = ?, hold_reason = ?, approved = ?, listed_hash = ? WHERE key = ?'),
    definition: database.prepare(
      `SELECT t.hash, t.approved, d.definition FROM tool t JOIN tool_definition d ON d.tool_key = t.key WHERE t.key = ?`,
    ),
    acceptance: database
      .prepare('SELECT max(accepted) FROM tool_version WHERE server_id = ? AND partition = ? AND name = ? AND hash = ?')
      .pluck(),
    lastAccepted: database.prepare(
      `SELECT v.hash, v.accepted, coalesce(v.definition, ${definitionInForce}) AS definition
       FROM tool_version v WHERE v.server_id = ? AND v.partition = ? AND v.name = ? AND v.accepted > 0
       ORDER BY v.rowid DESC LIMIT 1`,
    ),
    versionedNames: database.prepare('SELECT DISTINCT name FROM tool_version WHERE server_id = ?').pluck(),
    reopenVersion: database.prepare(
      `UPDATE tool_version SET replaced_at = NULL, definition = @definition, accepted = max(accepted, @accepted)
       WHERE ${versionsOfTool} AND hash = @hash
       AND rowid = (SELECT max(rowid) FROM tool_version WHERE ${versionsOfTool})`,
    ),
    sameVersions: database.prepare(
      `SELECT rowid AS row, first_seen_at, times_seen FROM tool_version
       WHERE ${versionsOfTool} AND hash = @hash ORDER BY rowid DESC`,
    ),
    openVersion: database.prepare(
      `INSERT INTO tool_version (server_id, partition, name, hash, definition, first_seen_at, accepted, times_seen)
       VALUES (@serverId, @partition, @name, @hash, @definition, @listedAt, @accepted, @times)`,
    ),
    closeVersion: database.prepare(
      `UPDATE tool_version AS v SET replaced_at = ?, definition = coalesce(v.definition, ${definitionInForce})
       WHERE server_id = ? AND partition = ? AND name = ? AND replaced_at IS NULL`,
    ),
    dropVersion: database.prepare('DELETE FROM tool_version WHERE rowid = ?'),
    // The definition that was accepted last is what later ones are compared with: it outlives any number of others.
    dropVersions: database.prepare(
      `DELETE FROM tool_version WHERE rowid IN (
         SELECT rowid FROM tool_version WHERE ${versionsOfTool} ORDER BY rowid DESC LIMIT -1 OFFSET @limit)
       AND rowid <> coalesce((SELECT max(rowid) FROM tool_version WHERE ${versionsOfTool} AND accepted > 0), 0)`,
    ),
    approveVersion: database.prepare(
      `UPDATE tool_version SET accepted = 2, definition = NULL
       WHERE ${versionsOfTool} AND hash = @hash AND replaced_at IS NULL`,
    ),
    offered: database.prepare(
      `SELECT hash, definition FROM tool_version
       WHERE server_id = ? AND partition = ? AND name = ? AND replaced_at IS NULL AND definition IS NOT NULL`,
    ),
    moveVersions: database.prepare('UPDATE tool_version SET partition = ? WHERE server_id = ? AND partition = ?'),
    dropAllVersions: database.prepare('DELETE FROM tool_version WHERE server_id = ? AND partition = ?'),
    versions: database.prepare(
      `SELECT v.hash, v.first_seen_at, v.replaced_at, v.accepted, v.times_seen, coalesce(v.definition, ${definitionInForce}) AS definition
       FROM tool_version v WHERE v.server_id = ? AND v.partition = ? AND v.name = ? ORDER BY v.rowid DESC`,
    ),
  };
}
