import {
  type DefinitionPolicy,
  type Finding,
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
import type { DefinitionScans } from './definition-scans.ts';
import type { ServerTable } from './server-table.ts';

interface ToolRow {
  key: number;
  server_id: string;
  name: string;
  exposed_name: string;
  position: number;
  status: Extract<ToolStatus, 'ok' | 'repaired' | 'set_aside'>;
  problem: string | null;
  hold: '' | 'changed' | 'quarantined';
  hold_reason: string | null;
  approved: number;
  findings: string | null;
  skeleton: string | null;
  hash: string;
  definition: string;
  input_schema: string | null;
}

const columns = `t.key, a.id AS server_id, t.name, t.exposed_name, t.position, t.status, t.problem, t.hash,
  t.hold, t.hold_reason, t.approved, t.findings, t.skeleton, d.definition, d.input_schema`;
const activeTools = 'tool t JOIN temp.active_server a ON a.pk = t.server_pk';
const definedTools = `${activeTools} JOIN tool_definition d ON d.tool_key = t.key`;

/** Reads of tools: active servers only, without what the user's globs hide. */
export class ToolReader {
  readonly #counters: Counters;
  readonly #servers: ServerTable;
  readonly #trust: { scans: DefinitionScans; policy: DefinitionPolicy | undefined };
  readonly #statements: ReturnType<typeof prepare>;
  #names: readonly ToolName[] = [];
  #namesAt = -1;

  constructor(
    database: Database,
    counters: Counters,
    servers: ServerTable,
    trust: { scans: DefinitionScans; policy: DefinitionPolicy | undefined },
  ) {
    this.#counters = counters;
    this.#servers = servers;
    this.#trust = trust;
    this.#statements = prepare(database);
  }

  tools(filter: { serverId?: string; includeSetAside?: boolean } = {}): Tool[] {
    this.#servers.refreshActive();
    const rows = this.#statements.tools.all({
      serverId: filter.serverId ?? null,
      all: filter.includeSetAside === true ? 1 : 0,
    }) as ToolRow[];
    const tools = rows.map((row) => this.#toTool(row));
    // Held back by a scan that is made just now.
    return filter.includeSetAside === true ? tools : tools.filter(({ status }) => status !== 'quarantined');
  }

  toolsByKeys(keys: readonly number[]): Tool[] {
    this.#servers.refreshActive();
    return keys.flatMap((key) => {
      const row = this.#statements.byKey.get(key) as ToolRow | undefined;
      return row === undefined ? [] : [this.#toTool(row)];
    });
  }

  tool({ serverId, toolName }: ToolId): Tool | undefined {
    this.#servers.refreshActive();
    const row = this.#statements.byId.get(serverId, toolName) as ToolRow | undefined;
    return row && this.#toTool(row);
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

  #toTool(row: ToolRow): Tool {
    const parsed = JSON.parse(row.definition) as JsonValue;
    const definition: JsonObject = isJsonObject(parsed) ? parsed : { value: parsed };
    const findings = this.#findings(row, definition);
    const { title, description, outputSchema, annotations } = definition;
    return {
      key: row.key,
      serverId: row.server_id,
      toolName: row.name,
      exposedName: row.exposed_name,
      position: row.position,
      ...this.#standing(row, findings),
      ...(findings.length === 0 ? {} : { findings }),
      hash: row.hash,
      definition,
      inputSchema: inputSchemaOf(row, definition),
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
      ...(isJsonObject(annotations) ? { annotations } : {}),
    };
  }

  #findings(row: ToolRow, definition: JsonObject): Finding[] {
    if (row.findings === '[]') return [];
    if (row.findings !== null) return JSON.parse(row.findings);
    return this.#trust.scans.ofTool({ ...row, serverId: row.server_id }, definition);
  }

  /** What a person approved stays usable whatever a scan finds in it. */
  #standing(row: ToolRow, findings: readonly Finding[]): Pick<Tool, 'status' | 'problem'> {
    const found = row.approved === 1 || findings.length === 0 ? undefined : this.#foundReason(findings);
    const hold = found !== undefined && row.hold !== 'quarantined' ? 'quarantined' : row.hold;
    const isHeld = hold !== '' && row.status !== 'set_aside';
    const problem = isHeld ? (hold === row.hold ? row.hold_reason : found) : row.problem;
    return { status: isHeld ? hold : row.status, ...(problem == null ? {} : { problem }) };
  }

  #foundReason(findings: readonly Finding[]): string | undefined {
    return this.#trust.policy?.firstSightReason('standard', findings);
  }

  /** After `configure`, which changes what is active without writing anything. */
  forgetNames(): void {
    this.#namesAt = -1;
  }
}

function inputSchemaOf(row: ToolRow, definition: JsonObject): JsonObject {
  if (row.input_schema !== null) return JSON.parse(row.input_schema) as JsonObject;
  return definition.inputSchema as JsonObject;
}

function prepare(database: Database) {
  return {
    tools: database.prepare(
      `SELECT ${columns} FROM ${definedTools}
       WHERE t.hidden = 0 AND (@serverId IS NULL OR a.id = @serverId) AND (@all = 1 OR (t.status <> 'set_aside' AND t.hold <> 'quarantined'))
       ORDER BY a.position, t.name`,
    ),
    byKey: database.prepare(`SELECT ${columns} FROM ${definedTools} WHERE t.hidden = 0 AND t.key = ?`),
    byId: database.prepare(`SELECT ${columns} FROM ${definedTools} WHERE t.hidden = 0 AND a.id = ? AND t.name = ?`),
    names: database.prepare(
      `SELECT t.key, a.id AS serverId, t.name AS toolName, t.exposed_name AS exposedName,
         CASE WHEN t.status = 'set_aside' OR t.hold = '' THEN t.status ELSE t.hold END AS status
       FROM ${activeTools} WHERE t.hidden = 0 ORDER BY a.position, t.name`,
    ),
  };
}
