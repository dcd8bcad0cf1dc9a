import { type DefinitionPolicy, exposedName, type IngestReport, type ListMeta, type Naming } from '../model/index.ts';
import { asObject } from './as-object.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import type { DefinitionScans } from './definition-scans.ts';
import { diffLists } from './diff.ts';
import { type ListedTool, repairList, repairListInSlices, setAsideAlso } from './repair-tool.ts';
import { ingestFingerprint, type ServerRow, type ServerTable } from './server-table.ts';
import type { TextIndex } from './text-index.ts';
import { isHidden } from './tool-filter.ts';
import { type StoredTool, ToolTable } from './tool-table.ts';
import { TrustDecisions, type Verdict } from './trust-decisions.ts';

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
  readonly #scans: DefinitionScans;
  readonly #trust: TrustDecisions;

  constructor(parts: {
    database: Database;
    counters: Counters;
    servers: ServerTable;
    texts: TextIndex;
    naming: () => Naming;
    scans: DefinitionScans;
    policy: DefinitionPolicy | undefined;
  }) {
    this.#database = parts.database;
    this.#counters = parts.counters;
    this.#servers = parts.servers;
    this.#texts = parts.texts;
    this.#naming = parts.naming;
    this.#tools = new ToolTable(parts.database);
    this.#scans = parts.scans;
    this.#trust = new TrustDecisions({ ...parts, tools: this.#tools });
  }

  async prepare(serverId: string, rawTools: readonly unknown[]): Promise<void> {
    const listed = await repairListInSlices(rawTools, this.#tools.knownHashes(serverId));
    this.#prepared.set(rawTools, listed);
    const known = this.#tools.hashesByName(serverId);
    for (const tool of listed) {
      const hashes = known.get(tool.name);
      if (hashes === undefined || hashes.includes(tool.hash)) continue;
      // A change is decided by what its definition says: scanned here, one a turn, it costs `run` nothing.
      this.#scans.ofDefinition(tool.hash, asObject(JSON.parse(tool.definition)));
      await new Promise((resolve) => setImmediate(resolve));
    }
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
    const changes = diff.changed.flatMap((pair) => this.#change(server, pair.old, pair.new, meta) ?? []);
    const seen = diff.added.length === 0 ? new Set() : this.#tools.versionedNames(server.id);
    const additions = diff.added.flatMap((tool) => this.#add(server, tool, meta, seen.has(tool.name)) ?? []);
    const held = [...changes, ...additions];
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
      ...(held.length === 0 ? {} : { held }),
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

  /** Its name where it must wait for a person and was not seen like this before. */
  #add(server: ServerRow, tool: ListedTool, meta: ListMeta, isSeen: boolean): string | undefined {
    const verdict = isSeen ? this.#trust.judge(server, tool) : this.#trust.judgeUnseen(server);
    const stored = verdict.hold === 'changed' ? (verdict.accepted ?? tool) : tool;
    const names = {
      exposedName: this.#exposedName(server, tool),
      skeleton: this.#scans.skeletonOf(tool.name),
    };
    const key = this.#tools.insert(server.pk, stored, names, this.#isHidden(server, tool));
    if (verdict.hold !== '' || verdict.isApproved) this.#hold(key, tool, verdict);
    return this.#open(server, tool, verdict, meta, isSeen);
  }

  #change(server: ServerRow, old: StoredTool, tool: ListedTool, meta: ListMeta): string | undefined {
    const verdict = this.#trust.judge(server, tool, old);
    this.#tools.closeVersion(server.id, old.name, meta);
    const stored = verdict.hold === 'changed' ? verdict.accepted : tool;
    if (stored === undefined) this.#tools.move(old.key, tool.position);
    else {
      // A change back to what is in the row: nothing is searched for or counted anew.
      if (stored.hash === old.acceptedHash && stored.status === old.status) this.#tools.move(old.key, tool.position);
      else this.#tools.update(old.key, stored);
      if (stored.status === 'set_aside' || verdict.hold === 'quarantined') this.#texts.remove(old.key);
    }
    const isHidden = this.#isHidden(server, tool);
    if ((old.hidden === 1) !== isHidden) this.#tools.hide(old.key, isHidden);
    const wasHeld = old.hold !== '' || old.approved === 1;
    if (wasHeld || verdict.hold !== '' || verdict.isApproved) this.#hold(old.key, tool, verdict);
    return this.#open(server, tool, verdict, meta, true);
  }

  /** `tool` is what was listed; of a change that waits, the row holds another definition. */
  #hold(key: number, tool: ListedTool, verdict: Verdict): void {
    this.#tools.setHold(key, {
      hold: verdict.hold,
      isApproved: verdict.hold !== 'quarantined' && verdict.isApproved,
      ...(verdict.hold === '' ? {} : { reason: verdict.reason }),
      ...(verdict.hold === 'changed' ? { listedHash: tool.hash } : {}),
    });
  }

  #open(server: ServerRow, tool: ListedTool, verdict: Verdict, meta: ListMeta, isSeen: boolean): string | undefined {
    const isAccepted = verdict.hold === '' && tool.status !== 'set_aside';
    const isNew = this.#tools.openVersion(server.id, tool, meta, {
      accepted: isAccepted ? (verdict.isApproved ? 2 : 1) : 0,
      isInRow: verdict.hold !== 'changed',
      isSeen,
    });
    return verdict.hold !== '' && isNew ? tool.name : undefined;
  }

  #remove(server: ServerRow, tool: StoredTool, meta: ListMeta): void {
    this.#texts.remove(tool.key);
    this.#tools.closeVersion(server.id, tool.name, meta);
    this.#tools.delete(tool.key);
  }

  /** Same definition: a row is written only when its place, our reading of it or the config differs. */
  #refresh(server: ServerRow, old: StoredTool, tool: ListedTool, meta: ListMeta): boolean {
    // Of a change that waits for a person the row holds the definition before it.
    const isReadOtherwise =
      old.hold !== 'changed' && (old.status !== tool.status || (old.problem ?? undefined) !== tool.problem);
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
