import type { Finding } from './finding.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { ToolId, ToolStatus } from './tool.ts';

/**
 * How far a server's definitions are believed.
 * - `trusted`: changes are accepted, and annotations count.
 * - `standard`: what is first seen is accepted, later changes are checked.
 * - `quarantine`: nothing is used before a person has approved it.
 */
export type ServerTrust = 'trusted' | 'standard' | 'quarantine';

/** A definition that takes the place of an accepted one. */
export interface DefinitionChange {
  before: JsonObject;
  after: JsonObject;
  beforeFindings: readonly Finding[];
  afterFindings: readonly Finding[];
}

/** Decides about definitions. Owned by `policy`, called by the catalog. Pure. */
export interface DefinitionPolicy {
  /** Changes whenever the findings for the same definition may change; the catalog then scans anew. */
  readonly id: string;
  /** What looks like an attack on the model or its user, worst first. */
  scan(definition: JsonObject): Finding[];
  /** The same, stopping every few milliseconds. */
  scanInSteps(definition: JsonObject): Iterator<undefined, Finding[], undefined>;
  /** Why a tool that was never accepted must wait for a person; undefined when it need not. */
  firstSightReason(trust: ServerTrust, findings: readonly Finding[]): string | undefined;
  /** Why a change must wait for a person, in words that hold none of the server's; undefined when it need not. */
  changeReason(trust: ServerTrust, change: DefinitionChange): string | undefined;
  /** What a name looks like: equal for names that are hard to tell apart. */
  skeleton(toolName: string): string;
  /** The finding where `toolName` imitates the tool of another server that has the same skeleton. */
  shadowing(toolName: string, other: ToolId, isSeenLater: boolean): Finding | undefined;
}

/** One difference between two definitions. */
export interface FieldChange {
  /** JSON pointer (RFC 6901); '' for the whole definition. */
  path: string;
  kind: 'added' | 'removed' | 'changed';
  before?: JsonValue;
  after?: JsonValue;
}

/** A tool as a person looks it over: what its server lists now against what was accepted, or listed, before. */
export interface DefinitionReview {
  name: string;
  server: string;
  tool: string;
  status: ToolStatus;
  /** Why it waits for a person. */
  problem?: string;
  /** SHA-256 (hex) of the definition before; absent where there is none to compare with. */
  beforeHash?: string;
  /** SHA-256 (hex) of the definition that the server lists now: what an approval is for. */
  hash: string;
  /** True where a person refused this definition; it can still be accepted. */
  isRefused?: boolean;
  /** Of the definition that the server lists now. */
  findings: Finding[];
  /** Where there was none before, every field is added. */
  changes: FieldChange[];
}

/** `toolcrib.lock.json`: the definitions that a project relies on. */
export interface DefinitionLock {
  lockVersion: 1;
  /** By server id and raw name, both sorted. */
  servers: Record<string, Record<string, LockedTool>>;
}

/** SHA-256 (hex) over the RFC 8785 form. */
export interface LockedTool {
  /** Of name, title, description, input and output schema. */
  definition: string;
  /** Of the annotations; `{}` stands for none. */
  annotations: string;
}

/** Where what servers list differs from the lock. */
export interface LockDifference {
  server: string;
  tool: string;
  kind: 'added' | 'removed' | 'definition_changed' | 'annotations_changed';
}

/** What an approval changed. */
export interface ApprovalReport {
  name: string;
  server: string;
  tool: string;
  hash: string;
}

/** One version in the history of a tool. */
export interface VersionListing {
  /** SHA-256 (hex). */
  hash: string;
  /** ISO 8601. */
  firstSeenAt: string;
  /** ISO 8601; absent for the version that the server lists now. */
  replacedAt?: string;
  accepted: 'no' | 'rules' | 'person';
  /** How often the server came back to it, itself included. */
  timesSeen: number;
}
