import type { Finding } from './finding.ts';
import type { JsonObject } from './json.ts';

/**
 * What identifies a tool: the server's key in the user's config and the name the server gave it.
 * Never `serverInfo.name`, which is self-reported and not unique (MCP "Tools", name disambiguation).
 */
export interface ToolId {
  serverId: string;
  /** The raw name, as it goes on the wire. */
  toolName: string;
}

/**
 * - `ok`: as sent.
 * - `repaired`: usable after a mend that is described in `problem`.
 * - `set_aside`: kept and listed with its reason, neither searchable nor callable.
 * - `changed`: its server lists another definition that waits for a person. The accepted one is shown; it cannot be called.
 * - `quarantined`: no definition of it was ever accepted. Listed for people alone, neither searchable nor callable.
 */
export type ToolStatus = 'ok' | 'repaired' | 'set_aside' | 'changed' | 'quarantined';

/** A tool as the catalog holds it. */
export interface Tool extends ToolId {
  /** Row key in the catalog: stable while the tool stays listed, unique over all servers. */
  key: number;
  /** The name a model sees and passes back: see `exposedName` in `exposed-name.ts`. */
  exposedName: string;
  /** Place in the server's own list, from 0. */
  position: number;
  status: ToolStatus;
  /** Why the tool was repaired, set aside or held back. */
  problem?: string;
  /** What the scan found in the definition, worst first; absent where that is nothing. */
  findings?: Finding[];
  /** SHA-256 (hex) over the RFC 8785 form of the raw definition. */
  hash: string;
  /** The definition exactly as the server sent it. */
  definition: JsonObject;
  /** The input schema after repair: always an object with `type: "object"`. */
  inputSchema: JsonObject;
  title?: string;
  description?: string;
  outputSchema?: JsonObject;
  annotations?: JsonObject;
}

/** The light part of a tool that name look-up and spelling help need. */
export interface ToolName extends ToolId {
  key: number;
  exposedName: string;
  status: ToolStatus;
}

/** What `tools/list` shows a host: an MCP tool definition under its exposed name. */
export interface ToolDefinition extends JsonObject {
  name: string;
  description: string;
  inputSchema: JsonObject;
}

/** One earlier or present version of a tool's definition. */
export interface ToolVersion {
  hash: string;
  definition: JsonObject;
  /** Milliseconds since the epoch at which this version was first seen. */
  firstSeenAt: number;
  /** Milliseconds since the epoch at which another version, or a removal, replaced it. */
  replacedAt?: number;
  /** Who accepted it. */
  accepted: 'no' | 'rules' | 'person';
  /** How often it came back, itself included: a server that flaps does not fill the history. */
  timesSeen: number;
}
