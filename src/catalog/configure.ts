import {
  type DefinitionPolicy,
  exposedName,
  type Naming,
  type ServerTrust,
  type ToolAnalyzer,
} from '../model/index.ts';
import { applyTrust } from './apply-trust.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import { indexState } from './pending-texts.ts';
import { namingKey, type ServerTable, type WantedServer } from './server-table.ts';
import { isHidden } from './tool-filter.ts';
import type { ToolReader } from './tool-reader.ts';

/**
 * Makes what is stored agree with the config and with this version's analyser. Where everything agrees already, nothing is
 * written: two processes of one config leave each other alone.
 */
export class Configuration {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #reader: ToolReader;

  constructor(parts: {
    database: Database;
    counters: Counters;
    servers: ServerTable;
    reader: ToolReader;
  }) {
    this.#database = parts.database;
    this.#counters = parts.counters;
    this.#servers = parts.servers;
    this.#reader = parts.reader;
  }

  /** Notes everything for indexing when the analyser would now make other tokens or texts than those stored. */
  applyAnalyzer(analyzer: ToolAnalyzer): void {
    this.#once('analyzer', analyzer.id, () => {
      // Until their turn comes, tools are found by what the earlier analyser made of them.
      this.#database
        .prepare('UPDATE tool SET index_state = ? WHERE index_state = ?')
        .run(indexState.outdated, indexState.current);
    });
  }

  /** Scans everything anew when this version may find something else. What is read before its turn is scanned then. */
  applyPolicy(policy: DefinitionPolicy | undefined): void {
    if (policy === undefined) return;
    this.#once('policy', policy.id, () => {
      this.#database.exec('UPDATE tool SET findings = NULL, skeleton = NULL');
    });
  }

  applyNaming(naming: Naming): void {
    this.#once('naming', namingKey(naming), () => {
      const rename = this.#database.prepare('UPDATE tool SET exposed_name = ? WHERE key = ?');
      for (const { key, serverId, toolName } of this.#everyTool())
        rename.run(exposedName({ serverId, toolName }, naming), key);
    });
  }

  applyServers(servers: readonly WantedServer[]): void {
    this.#servers.want(servers);
    const outdated = servers.filter((server) => this.#isOutdated(server));
    if (outdated.length === 0) return;
    const update = this.#database.transaction(() => {
      for (const server of outdated) this.#update(server);
      this.#counters.bump('generation');
    });
    update.immediate();
  }

  #isOutdated(server: WantedServer): boolean {
    return this.#rowsOf(server).some(
      ({ pk, description, trust }) =>
        trust !== (server.trust ?? 'standard') ||
        description !== (server.description ?? '') ||
        this.#namesOf(pk).some(({ name, hidden }) => (hidden === 1) !== isHidden(name, server.tools)),
    );
  }

  #update(server: WantedServer): void {
    for (const row of this.#rowsOf(server)) this.#updateRow(server, row);
  }

  #updateRow(server: WantedServer, row: StoredServer): void {
    const hide = this.#database.prepare('UPDATE tool SET hidden = ? WHERE key = ?');
    for (const { key, name, hidden } of this.#namesOf(row.pk)) {
      const isNowHidden = isHidden(name, server.tools) ? 1 : 0;
      if (hidden !== isNowHidden) hide.run(isNowHidden, key);
    }
    applyTrust(this.#database, row.pk, row.trust, server.trust ?? 'standard');
    if (row.description === (server.description ?? '')) return;
    this.#database.prepare('UPDATE server SET description = ? WHERE pk = ?').run(server.description ?? '', row.pk);
    this.#database.prepare('UPDATE tool SET index_state = ? WHERE server_pk = ?').run(indexState.absent, row.pk);
  }

  /** One for each partition. */
  #rowsOf(server: WantedServer): StoredServer[] {
    return this.#database
      .prepare('SELECT pk, description, trust FROM server WHERE id = ? AND fingerprint = ?')
      .all(server.id, server.fingerprint) as StoredServer[];
  }

  #namesOf(serverPk: number): { key: number; name: string; hidden: number }[] {
    return this.#database.prepare('SELECT key, name, hidden FROM tool WHERE server_pk = ?').all(serverPk) as {
      key: number;
      name: string;
      hidden: number;
    }[];
  }

  #everyTool(): { key: number; serverId: string; toolName: string }[] {
    return this.#database
      .prepare('SELECT t.key, s.id AS serverId, t.name AS toolName FROM tool t JOIN server s ON s.pk = t.server_pk')
      .all() as { key: number; serverId: string; toolName: string }[];
  }

  /** Runs `work` when the stored mark differs, in one transaction with the new mark. */
  #once(key: string, value: string, work: () => void): void {
    const stored = () => this.#database.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key);
    if (stored() === value) return;
    const run = this.#database.transaction(() => {
      if (stored() === value) return;
      work();
      this.#database.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(key, value);
      this.#counters.bump('generation');
      this.#reader.forgetNames();
    });
    run.immediate();
  }
}

interface StoredServer {
  pk: number;
  description: string;
  trust: ServerTrust;
}
