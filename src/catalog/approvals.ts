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

  constructor(parts: { database: Database; counters: Counters; servers: ServerTable; tools: ToolTable }) {
    this.#database = parts.database;
    this.#counters = parts.counters;
    this.#servers = parts.servers;
    this.#tools = parts.tools;
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
      this.#counters.bump('generation');
      return true;
    });
    return approveOne.immediate();
  }

  #take(tool: StoredTool, definition: JsonValue): void {
    const [listed] = repairList([definition]);
    if (listed !== undefined) this.#tools.update(tool.key, { ...listed, name: tool.name, position: tool.position });
  }
}
