import type { JsonValue, ToolId } from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import { repairList } from './repair-tool.ts';
import type { ServerTable } from './server-table.ts';
import type { StoredTool, ToolTable } from './tool-table.ts';

/** What a person decides about definitions. */
export class Approvals {
  readonly #database: Database;
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #tools: ToolTable;
  readonly #refusals: ReturnType<typeof prepareRefusals>;

  constructor(parts: { database: Database; counters: Counters; servers: ServerTable; tools: ToolTable }) {
    this.#database = parts.database;
    this.#counters = parts.counters;
    this.#servers = parts.servers;
    this.#tools = parts.tools;
    this.#refusals = prepareRefusals(parts.database);
  }

  /** What the server lists in place of the accepted definition. */
  offered({ serverId, toolName }: ToolId): { hash: string; definition: JsonValue } | undefined {
    return this.#tools.offered(serverId, this.#servers.partitionInUse(serverId), toolName);
  }

  /**
   * Accepts the definition of this hash, where it is the one that the server lists now; false where it is not, so that
   * nobody approves what they have not seen.
   */
  approve(id: ToolId, hash: string): boolean {
    const approveOne = this.#database.transaction(() => {
      const row = this.#servers.activeRow(id.serverId);
      const tool = row && this.#tools.ofServer(row.pk).find(({ name }) => name === id.toolName);
      if (row === undefined || tool === undefined) return false;
      const offered = this.#tools.offered(id.serverId, row.partition, id.toolName);
      if ((offered?.hash ?? tool.acceptedHash) !== hash) return false;
      if (offered !== undefined) this.#take(tool, offered.definition);
      else this.#tools.markForIndex(tool.key);
      this.#tools.setHold(tool.key, { hold: '', isApproved: true });
      this.#tools.approveVersion(id.serverId, row.partition, id.toolName, hash);
      this.#refusals.remove.run(id.serverId, id.toolName, hash);
      this.#counters.bump('generation');
      return true;
    });
    return approveOne.immediate();
  }

  refuse({ serverId, toolName }: ToolId, hash: string): boolean {
    const refuseOne = this.#database.transaction(() => {
      const row = this.#servers.activeRow(serverId);
      const tool = row && this.#tools.ofServer(row.pk).find(({ name }) => name === toolName);
      if (row === undefined || tool === undefined || tool.hold === '') return false;
      const offered = this.#tools.offered(serverId, row.partition, toolName);
      if ((offered?.hash ?? tool.acceptedHash) !== hash) return false;
      this.#refusals.add.run(serverId, toolName, hash, Date.now());
      this.#counters.bump('generation');
      return true;
    });
    return refuseOne.immediate();
  }

  isRefused({ serverId, toolName }: ToolId, hash: string): boolean {
    return this.#refusals.find.get(serverId, toolName, hash) !== undefined;
  }

  #take(tool: StoredTool, definition: JsonValue): void {
    const [listed] = repairList([definition]);
    if (listed !== undefined) this.#tools.update(tool.key, { ...listed, name: tool.name, position: tool.position });
  }
}

function prepareRefusals(database: Database) {
  const one = 'server_id = ? AND name = ? AND hash = ?';
  return {
    add: database.prepare('INSERT OR REPLACE INTO definition_refusal VALUES (?, ?, ?, ?)'),
    find: database.prepare(`SELECT 1 FROM definition_refusal WHERE ${one}`),
    remove: database.prepare(`DELETE FROM definition_refusal WHERE ${one}`),
  };
}
