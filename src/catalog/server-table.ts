import type { EraVerdict, ListMeta, Naming, ServerRecord, ServerTrust, ToolFilter } from '../model/index.ts';
import { applyTrust } from './apply-trust.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';

/** The fingerprint of servers that a program filled through `ingest`: they are active whatever the config says. */
export const ingestFingerprint = 'ingest';

/** What this process wants of a server: only rows with the same fingerprint are used. */
export interface WantedServer {
  id: string;
  fingerprint: string;
  position: number;
  description?: string;
  tools?: ToolFilter;
  /** Default `standard`. */
  trust?: ServerTrust;
}

export interface ServerRow {
  pk: number;
  id: string;
  /** '' for lists that everybody may see, else that of the credentials. */
  partition: string;
  fingerprint: string;
  listed_at: number | null;
  /** The user's words under which the tools are indexed. */
  description: string;
  ttl_ms: number | null;
  stale: number;
  last_error: string | null;
  empty_seen: number;
  /** The trust under which its tools were judged. */
  trust: ServerTrust;
  era: string | null;
}

/**
 * The server rows, and which of them are active in this process. The active ones stand in a temporary table that every
 * other query joins, so that a server which left the config is gone from search, names and counts at once.
 */
export class ServerTable {
  readonly #database: Database;
  readonly #counters: Counters;
  /** In config order. */
  #wanted: ReadonlyMap<string, WantedServer> = new Map();
  /** The partition of the credentials in use, by server. */
  readonly #credentials = new Map<string, string>();
  #activeAt = -1;

  constructor(database: Database, counters: Counters) {
    this.#database = database;
    this.#counters = counters;
    database.exec(`
      CREATE TEMP TABLE active_server (pk INTEGER PRIMARY KEY, id TEXT NOT NULL, position INTEGER NOT NULL);
    `);
  }

  want(servers: readonly WantedServer[]): void {
    const ordered = [...servers].sort((a, b) => a.position - b.position);
    this.#wanted = new Map(ordered.map((server) => [server.id, server]));
    this.#activeAt = -1;
  }

  /** True when other rows are active than those that were read before. */
  useCredentials(id: string, partition: string): boolean {
    const before = this.#activeAt === -1 ? undefined : this.#activeKeys();
    this.#credentials.set(id, partition);
    this.#activeAt = -1;
    return before !== undefined && before !== this.#activeKeys();
  }

  usesCredentials(id: string, partition: string): boolean {
    return this.#credentials.get(id) === partition;
  }

  /** The partition that the active list of a server lies in. */
  partitionInUse(id: string): string {
    return this.activeRow(id)?.partition ?? '';
  }

  /** The row whose tools are seen. */
  activeRow(id: string): ServerRow | undefined {
    // Asked for with each list: it must not take longer the more servers there are.
    const rows = this.#database.prepare('SELECT * FROM server WHERE id = ? ORDER BY partition').all(id) as ServerRow[];
    return this.#activeAmong(rows)[0];
  }

  /** The row that stands for a server in this process, made when there is none. */
  rowInUse(id: string, fingerprint: string): ServerRow {
    const own = this.find(id, this.#credentials.get(id) ?? '', fingerprint);
    return own?.listed_at != null ? own : this.rowFor(id, { fingerprint });
  }

  wanted(id: string): WantedServer | undefined {
    return this.#wanted.get(id);
  }

  /** Servers that a program fills are judged like configured ones. */
  trustOf(id: string): ServerTrust {
    return this.wanted(id)?.trust ?? 'standard';
  }

  /** The partitions in which this server's tools may have been accepted before, its own first. */
  partitionsOf(row: ServerRow): string[] {
    const partitions = this.#database
      .prepare('SELECT DISTINCT partition FROM server WHERE id = ? ORDER BY listed_at DESC')
      .pluck()
      .all(row.id) as string[];
    return [...new Set([row.partition, ...partitions])];
  }

  /** Called before each read: the other process may have added or replaced server rows. */
  refreshActive(): void {
    const generation = this.#counters.read('generation');
    if (generation === this.#activeAt) return;
    const insert = this.#database.prepare('INSERT INTO temp.active_server (pk, id, position) VALUES (?, ?, ?)');
    this.#database.exec('DELETE FROM temp.active_server');
    for (const [position, row] of this.#activeRows().entries()) insert.run(row.pk, row.id, position);
    this.#activeAt = generation;
  }

  /** Configured servers in config order, listed or not, then ingested ones by id. */
  records(): ServerRecord[] {
    this.refreshActive();
    const rows = new Map(this.#activeRows().map((row) => [row.id, row]));
    const counts = this.#toolCounts();
    const configured = [...this.#wanted.values()].map((wanted) => toRecord(wanted, rows.get(wanted.id), counts));
    const ingested = [...rows.values()].filter((row) => this.wanted(row.id) === undefined);
    return [
      ...configured,
      ...ingested.map((row, index) =>
        toRecord({ id: row.id, fingerprint: row.fingerprint, position: this.#wanted.size + index }, row, counts),
      ),
    ];
  }

  /** The row of a server under this fingerprint, made when there is none. */
  rowFor(id: string, meta: Pick<ListMeta, 'fingerprint' | 'partition'>): ServerRow {
    const partition = meta.partition ?? '';
    const found = this.find(id, partition, meta.fingerprint);
    if (found !== undefined) return found;
    this.#database
      .prepare('INSERT INTO server (id, partition, fingerprint, trust) VALUES (?, ?, ?, ?)')
      .run(id, partition, meta.fingerprint, this.trustOf(id));
    return this.find(id, partition, meta.fingerprint) as ServerRow;
  }

  /** Gives the rows of a server, with their tools, to another partition: all fingerprints, since history goes with them. */
  moveRows(id: string, from: string, to: string): void {
    this.#database
      .prepare('UPDATE OR IGNORE server SET partition = ? WHERE id = ? AND partition = ?')
      .run(to, id, from);
  }

  /** The rows of private lists, the latest list first. */
  privateRows(id: string): ServerRow[] {
    return this.#database
      .prepare("SELECT * FROM server WHERE id = ? AND partition <> '' ORDER BY listed_at DESC, pk DESC")
      .all(id) as ServerRow[];
  }

  /** A server that was configured otherwise before mostly has the same tools: its first tools are a diff against those. */
  adoptEarlierTools(row: ServerRow, partition = ''): void {
    const own = this.#database.prepare('SELECT 1 FROM tool WHERE server_pk = ? LIMIT 1').get(row.pk);
    if (own !== undefined) return;
    const earlier = this.#database
      .prepare(
        `SELECT pk, description, trust FROM server WHERE id = ? AND partition = ? AND pk <> ? AND listed_at IS NOT NULL
         ORDER BY listed_at DESC, pk DESC LIMIT 1`,
      )
      .get(row.id, partition, row.pk) as { pk: number; description: string; trust: ServerTrust } | undefined;
    if (earlier === undefined) return;
    this.#database.prepare('UPDATE tool SET server_pk = ? WHERE server_pk = ?').run(row.pk, earlier.pk);
    applyTrust(this.#database, row.pk, earlier.trust, row.trust);
    row.description = earlier.description;
  }

  /** The rows of other fingerprints: dead once a list under the present one is in. */
  othersOf(row: ServerRow, partition = ''): ServerRow[] {
    return this.#database
      .prepare('SELECT * FROM server WHERE id = ? AND partition = ? AND pk <> ?')
      .all(row.id, partition, row.pk) as ServerRow[];
  }

  find(id: string, partition: string, fingerprint: string): ServerRow | undefined {
    return this.#database
      .prepare('SELECT * FROM server WHERE id = ? AND partition = ? AND fingerprint = ?')
      .get(id, partition, fingerprint) as ServerRow | undefined;
  }

  #activeRows(): ServerRow[] {
    return this.#activeAmong(
      this.#database.prepare('SELECT * FROM server ORDER BY id, partition').all() as ServerRow[],
    );
  }

  /** In config order, then by id. `all` are all rows of some servers, by id and partition. */
  #activeAmong(all: readonly ServerRow[]): ServerRow[] {
    const rows = all.filter((row) => row.partition === '' || this.#isOwn(row));
    // A private list of one's own comes after the public row and takes its place.
    const wantedRows = new Map(
      rows.filter((row) => this.wanted(row.id)?.fingerprint === row.fingerprint).map((row) => [row.id, row]),
    );
    const configured = [...this.#wanted.keys()].flatMap((id) => wantedRows.get(id) ?? []);
    const ingested = rows.filter(
      (row) => row.partition === '' && row.fingerprint === ingestFingerprint && this.wanted(row.id) === undefined,
    );
    return [...configured, ...ingested];
  }

  /** A private list of the credentials in use; one that is only begun is not. */
  #isOwn(row: ServerRow): boolean {
    return row.partition === this.#credentials.get(row.id) && row.listed_at !== null;
  }

  #activeKeys(): string {
    return this.#activeRows()
      .map(({ pk }) => pk)
      .join();
  }

  #toolCounts(): Map<string, number> {
    const rows = this.#database
      .prepare(
        `SELECT a.id, count(*) AS tools FROM tool t JOIN temp.active_server a ON a.pk = t.server_pk
         WHERE t.hidden = 0 AND t.status <> 'set_aside' AND t.hold <> 'quarantined' GROUP BY a.id`,
      )
      .all() as { id: string; tools: number }[];
    return new Map(rows.map(({ id, tools }) => [id, tools]));
  }
}

function toRecord(wanted: WantedServer, row: ServerRow | undefined, counts: Map<string, number>): ServerRecord {
  return {
    id: wanted.id,
    position: wanted.position,
    fingerprint: wanted.fingerprint,
    ...(wanted.description === undefined ? {} : { description: wanted.description }),
    ...(row?.listed_at == null ? {} : { listedAt: row.listed_at }),
    stale: row?.stale === 1 && row.listed_at !== null,
    ...(row?.last_error == null ? {} : { lastError: row.last_error }),
    ...(row?.ttl_ms == null ? {} : { ttlMs: row.ttl_ms }),
    ...(row?.era == null ? {} : { era: JSON.parse(row.era) as EraVerdict }),
    toolCount: counts.get(wanted.id) ?? 0,
  };
}

/** The naming rules as they are kept beside the names they made. */
export function namingKey(naming: Naming): string {
  return JSON.stringify([naming.nameMaxLength, naming.prefix]);
}
