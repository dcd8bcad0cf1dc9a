import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { BenchError } from './bench-error.ts';

/** The raw tools of one server, in the order of the file. */
export interface ServerTools {
  server: string;
  tools: Record<string, unknown>[];
  /** What the server is for, in its own words. */
  description?: string;
}

/** A labelled catalog: the servers to ingest, and the label id of each (server, tool). */
export interface ToolSet {
  servers: ServerTools[];
  toolCount: number;
  /** Label id of a hit; ids in label files need not look like names. */
  labelOf(server: string, tool: string): string;
}

/**
 * Reads `tools.jsonl[.gz]` (a tool a line: `{id, server, name, description, inputSchema}`) or `servers.jsonl[.gz]`
 * (a server a line: `{server, tools: [raw tool]}`, labelled `server/name`). The first line tells which.
 */
export function loadTools(file: string): ToolSet {
  return toolSetOf(readLines(file));
}

/** The tool set of rows in either format. */
export function toolSetOf(rows: readonly Record<string, unknown>[]): ToolSet {
  const labels = new Map<string, string>();
  const descriptions = new Map<string, string>();
  const byServer = new Map<string, Record<string, unknown>[]>();
  for (const row of rows) {
    if (typeof row.server !== 'string')
      throw new BenchError(`A row of tools has no server: ${JSON.stringify(row).slice(0, 80)}`);
    const server = row.server;
    const tools = byServer.get(server) ?? [];
    byServer.set(server, tools);
    if (typeof row.instructions === 'string') descriptions.set(server, row.instructions);
    if (Array.isArray(row.tools)) {
      for (const tool of row.tools) {
        tools.push(tool);
        labels.set(keyOf(server, String(tool.name)), `${server}/${tool.name}`);
      }
    } else {
      const { id, server: _server, serverDescription, ...definition } = row;
      if (typeof serverDescription === 'string') descriptions.set(server, serverDescription);
      tools.push(definition);
      const key = keyOf(server, String(definition.name));
      if (!labels.has(key)) labels.set(key, String(id));
    }
  }
  const servers = [...byServer].map(([server, tools]) => {
    const description = descriptions.get(server);
    return { server, tools, ...(description === undefined ? {} : { description }) };
  });
  return {
    servers,
    toolCount: servers.reduce((sum, { tools }) => sum + tools.length, 0),
    labelOf: (server, tool) => labels.get(keyOf(server, tool)) ?? `${server}/${tool}`,
  };
}

/** The objects of a `.jsonl` or `.jsonl.gz` file. Throws BenchError naming the file, and the line. */
export function readLines(file: string): Record<string, unknown>[] {
  const rows = readText(file)
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parseLine(line, `${file}, line ${number}`));
  if (rows.length === 0) throw new BenchError(`${file} holds no rows.`);
  return rows;
}

function readText(file: string): string {
  try {
    const bytes = readFileSync(file);
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/u, '');
  } catch (error) {
    throw new BenchError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function parseLine(line: string, where: string): Record<string, unknown> {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch (error) {
    throw new BenchError(`${where} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new BenchError(`${where} is not an object: ${line.slice(0, 80)}`);
  }
  return row as Record<string, unknown>;
}

function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}
