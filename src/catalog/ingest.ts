import { exposedName, type IngestReport, type ListMeta, type Naming } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import { diffLists } from './diff.ts';
import { type ListedTool, repairList, repairListInSlices, setAsideAlso } from './repair-tool.ts';
import { ingestFingerprint, type ServerRow, type ServerTable } from './server-table.ts';
import type { TextIndex } from './text-index.ts';
import { isHidden } from './tool-filter.ts';
import { type StoredTool, ToolTable } from './tool-table.ts';

/** Instructions of servers run to pages; what a server is for is said at the start. */
const maxDescriptionCharacters = 500;

/** Private lists that are kept of one server: tokens are renewed for years, and each new one has a partition. */
const maxPartitions = 4;

/**
 * Brings one server's tools to a new list, as a diff in one transaction: only what is new or changed is written, and
 * noted for `PendingTexts`, and another process sees the old list or the new one, never a mix.
 */
export class Ingest {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #tools: ToolTable;
  readonly #prepared = new WeakMap<readonly unknown[], ListedTool[]>();
  readonly #texts: TextIndex;
  readonly #naming: () => Naming;

  constructor(parts: {
    database: Database;
    counters: Counters;
    servers: ServerTable;
    texts: TextIndex;
    naming: () => Naming;
  }) {
    this.#database = parts.database;
    this.#counters = parts.counters;
    this.#servers = parts.servers;
    this.#texts = parts.texts;
    this.#naming = parts.naming;
    this.#tools = new ToolTable(parts.database);
  }

  async prepare(serverId: string, rawTools: readonly unknown[]): Promise<void> {
    this.#prepared.set(rawTools, await repairListInSlices(rawTools, this.#tools.knownHashes(serverId)));
  }

  run(serverId: string, rawTools: readonly unknown[], meta: ListMeta): IngestReport {
    const read = this.#prepared.get(rawTools) ?? repairList(rawTools, this.#tools.knownHashes(serverId));
    const listed = meta.unusable === undefined ? read : setAsideAlso(read, meta.unusable);
    this.#prepared.delete(rawTools);
    const activeMeta = { ...meta, fingerprint: this.#activeFingerprint(serverId, meta) };
    return this.#database.transaction(() => this.#apply(serverId, listed, activeMeta)).immediate();
  }

  /** A program may fill a server that is configured as well: what it says must be seen, so it goes to the active row. */
  #activeFingerprint(serverId: string, { fingerprint }: ListMeta): string {
    return fingerprint === ingestFingerprint
      ? (this.#servers.wanted(serverId)?.fingerprint ?? fingerprint)
      : fingerprint;
  }

  #apply(serverId: string, listed: readonly ListedTool[], meta: ListMeta): IngestReport {
    const server = this.#rowFor(serverId, meta);
    if (listed.length > 0) this.#servers.adoptEarlierTools(server, meta.partition);
    const stored = this.#tools.ofServer(server.pk);
    if (listed.length === 0 && stored.length > 0 && !isEmptyBelievable(server, meta)) {
      this.#database.prepare('UPDATE server SET empty_seen = 1 WHERE pk = ?').run(server.pk);
      return { ...emptyReport(serverId), accepted: false, unchanged: stored.length };
    }
    if (listed.length > 0 || isEmptyBelievable(server, meta)) {
      this.#forgetOthers(server, meta);
      this.#forgetPartitions(server, meta);
    }
    const diff = diffLists(stored, listed);
    for (const tool of diff.removed) this.#remove(server, tool, meta);
    for (const pair of diff.changed) this.#change(server, pair.old, pair.new, meta);
    for (const tool of diff.added) this.#add(server, tool, meta);
    const rewritten = diff.unchanged.filter((pair) => this.#refresh(server, pair.old, pair.new, meta));
    const contentChanges = diff.added.length + diff.changed.length + diff.removed.length + rewritten.length;
    this.#finish(server, meta, contentChanges > 0);
    return {
      serverId,
      accepted: true,
      added: diff.added.map(({ name }) => name),
      changed: diff.changed.map((pair) => pair.new.name),
      removed: diff.removed.map(({ name }) => name),
      unchanged: diff.unchanged.length,
      repaired: listed.filter(({ status }) => status === 'repaired').length,
      setAside: listed.filter(({ status }) => status === 'set_aside').length,
    };
  }

  /** A list that turns out to be private, or public again, is a diff against the one that was not. */
  #rowFor(serverId: string, meta: ListMeta): ServerRow {
    const { partition = '', fingerprint } = meta;
    const known = this.#servers.find(serverId, partition, fingerprint);
    if (partition !== '' && !this.#servers.usesCredentials(serverId, partition))
      return this.#servers.rowFor(serverId, meta);
    const from = partition === '' ? this.#servers.partitionInUse(serverId) : '';
    const other = known === undefined && from !== partition && this.#servers.find(serverId, from, fingerprint);
    if (other) {
      this.#tools.moveVersions(serverId, from, partition);
      this.#servers.moveRows(serverId, from, partition);
    }
    return this.#servers.rowFor(serverId, meta);
  }

  /** Of a public list there is one alone; of private ones, those of a few credentials are kept. */
  #forgetPartitions(server: ServerRow, { partition = '', ...meta }: ListMeta): void {
    const others = this.#servers.privateRows(server.id).filter((row) => row.partition !== partition);
    for (const row of partition === '' ? others : others.slice(maxPartitions - 1)) {
      for (const tool of this.#tools.ofServer(row.pk)) this.#remove(row, tool, { ...meta, partition: row.partition });
      this.#database.prepare('DELETE FROM server WHERE pk = ?').run(row.pk);
      this.#tools.dropAllVersions(server.id, row.partition);
    }
  }

  #add(server: ServerRow, tool: ListedTool, meta: ListMeta): void {
    this.#tools.insert(server.pk, tool, this.#exposedName(server, tool), this.#isHidden(server, tool));
    this.#tools.openVersion(server.id, tool, meta);
  }

  #change(server: ServerRow, old: StoredTool, tool: ListedTool, meta: ListMeta): void {
    this.#tools.closeVersion(server.id, old.name, meta);
    this.#tools.update(old.key, tool);
    const isHidden = this.#isHidden(server, tool);
    if ((old.hidden === 1) !== isHidden) this.#tools.hide(old.key, isHidden);
    if (tool.status === 'set_aside') this.#texts.remove(old.key);
    this.#tools.openVersion(server.id, tool, meta);
  }

  #remove(server: ServerRow, tool: StoredTool, meta: ListMeta): void {
    this.#texts.remove(tool.key);
    this.#tools.closeVersion(server.id, tool.name, meta);
    this.#tools.delete(tool.key);
  }

  /** Same definition: a row is written only when its place, our reading of it or the config differs. */
  #refresh(server: ServerRow, old: StoredTool, tool: ListedTool, meta: ListMeta): boolean {
    const isReadOtherwise = old.status !== tool.status || (old.problem ?? undefined) !== tool.problem;
    const isMoved = old.position !== tool.position;
    const isHidden = this.#isHidden(server, tool);
    const isHiddenOtherwise = (old.hidden === 1) !== isHidden;
    const isDescribedOtherwise = server.description !== this.#description(server, meta);
    if (isReadOtherwise) this.#tools.update(old.key, tool);
    else if (isMoved) this.#tools.move(old.key, tool.position);
    if (isHiddenOtherwise) this.#tools.hide(old.key, isHidden);
    if (isReadOtherwise && tool.status === 'set_aside') this.#texts.remove(old.key);
    if (isDescribedOtherwise && tool.status !== 'set_aside') this.#tools.markForIndex(old.key);
    return isReadOtherwise || isMoved || isHiddenOtherwise || isDescribedOtherwise;
  }

  #forgetOthers(server: ServerRow, meta: ListMeta): void {
    for (const other of this.#servers.othersOf(server, meta.partition)) {
      for (const tool of this.#tools.ofServer(other.pk)) this.#remove(other, tool, meta);
      this.#database.prepare('DELETE FROM server WHERE pk = ?').run(other.pk);
    }
  }

  #finish(server: ServerRow, meta: ListMeta, isContentChanged: boolean): void {
    this.#database
      .prepare(
        `UPDATE server SET listed_at = ?, ttl_ms = ?, stale = 0, last_error = NULL, empty_seen = 0, description = ?
         WHERE pk = ?`,
      )
      .run(meta.listedAt, meta.ttlMs ?? null, this.#description(server, meta), server.pk);
    const isFirst = server.listed_at === null;
    if (isContentChanged || isFirst || server.stale === 1) this.#counters.bump('generation');
  }

  #exposedName(server: ServerRow, tool: ListedTool): string {
    return exposedName({ serverId: server.id, toolName: tool.name }, this.#naming());
  }

  /** The user's own words, else the server's. */
  #description(server: ServerRow, meta: ListMeta): string {
    return this.#servers.wanted(server.id)?.description ?? meta.description?.slice(0, maxDescriptionCharacters) ?? '';
  }

  #isHidden(server: ServerRow, tool: ListedTool): boolean {
    return isHidden(tool.name, this.#servers.wanted(server.id)?.tools);
  }
}

/** A restarting server often answers with nothing for a moment; that must not empty the catalog. */
function isEmptyBelievable(server: ServerRow, { trigger }: ListMeta): boolean {
  return trigger === 'list_changed' || trigger === 'ingest' || server.empty_seen === 1;
}

function emptyReport(serverId: string): IngestReport {
  return { serverId, accepted: true, added: [], changed: [], removed: [], unchanged: 0, repaired: 0, setAside: 0 };
}
