import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Tool,
  type ToolId,
  type ToolName,
  type ToolStatus,
} from '../model/index.ts';
import type { Counters } from './counters.ts';
import type { Database } from './database.ts';
import type { ServerTable } from './server-table.ts';

interface ToolRow {
  key: number;
  server_id: string;
  name: string;
  exposed_name: string;
  position: number;
  status: ToolStatus;
  problem: string | null;
  hash: string;
  definition: string;
  input_schema: string | null;
}

const columns = `t.key, a.id AS server_id, t.name, t.exposed_name, t.position, t.status, t.problem, t.hash,
  d.definition, d.input_schema`;
const activeTools = 'tool t JOIN temp.active_server a ON a.pk = t.server_pk';
const definedTools = `${activeTools} JOIN tool_definition d ON d.tool_key = t.key`;

/** Reads of tools: active servers only, without what the user's globs hide. */
export class ToolReader {
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #statements: ReturnType<typeof prepare>;
  #names: readonly ToolName[] = [];
  #namesAt = -1;

  constructor(database: Database, counters: Counters, servers: ServerTable) {
    this.#counters = counters;
    this.#servers = servers;
    this.#statements = prepare(database);
  }

  tools(filter: { serverId?: string; includeSetAside?: boolean } = {}): Tool[] {
    this.#servers.refreshActive();
    const rows = this.#statements.tools.all({
      serverId: filter.serverId ?? null,
      all: filter.includeSetAside === true ? 1 : 0,
    }) as ToolRow[];
    return rows.map(toTool);
  }

  toolsByKeys(keys: readonly number[]): Tool[] {
    this.#servers.refreshActive();
    return keys.flatMap((key) => {
      const row = this.#statements.byKey.get(key) as ToolRow | undefined;
      return row === undefined ? [] : [toTool(row)];
    });
  }

  tool({ serverId, toolName }: ToolId): Tool | undefined {
    this.#servers.refreshActive();
    const row = this.#statements.byId.get(serverId, toolName) as ToolRow | undefined;
    return row && toTool(row);
  }

  names(): readonly ToolName[] {
    const generation = this.#counters.read('generation');
    if (generation !== this.#namesAt) {
      this.#servers.refreshActive();
      this.#names = this.#statements.names.all() as ToolName[];
      this.#namesAt = generation;
    }
    return this.#names;
  }

  /** After `configure`, which changes what is active without writing anything. */
  forgetNames(): void {
    this.#namesAt = -1;
  }
}

function toTool(row: ToolRow): Tool {
  const parsed = JSON.parse(row.definition) as JsonValue;
  const definition: JsonObject = isJsonObject(parsed) ? parsed : { value: parsed };
  const { title, description, outputSchema, annotations } = definition;
  return {
    key: row.key,
    serverId: row.server_id,
    toolName: row.name,
    exposedName: row.exposed_name,
    position: row.position,
    status: row.status,
    ...(row.problem === null ? {} : { problem: row.problem }),
    hash: row.hash,
    definition,
    inputSchema: inputSchemaOf(row, definition),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
  };
}

function inputSchemaOf(row: ToolRow, definition: JsonObject): JsonObject {
  if (row.input_schema !== null) return JSON.parse(row.input_schema) as JsonObject;
  return definition.inputSchema as JsonObject;
}

function prepare(database: Database) {
  return {
    tools: database.prepare(
      `SELECT ${columns} FROM ${definedTools}
       WHERE t.hidden = 0 AND (@serverId IS NULL OR a.id = @serverId) AND (@all = 1 OR t.status <> 'set_aside')
       ORDER BY a.position, t.name`,
    ),
    byKey: database.prepare(`SELECT ${columns} FROM ${definedTools} WHERE t.hidden = 0 AND t.key = ?`),
    byId: database.prepare(`SELECT ${columns} FROM ${definedTools} WHERE t.hidden = 0 AND a.id = ? AND t.name = ?`),
    names: database.prepare(
      `SELECT t.key, a.id AS serverId, t.name AS toolName, t.exposed_name AS exposedName, t.status
       FROM ${activeTools} WHERE t.hidden = 0 ORDER BY a.position, t.name`,
    ),
  };
}
