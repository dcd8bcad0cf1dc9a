import type { JsonObject } from './json.ts';

/** One call, as it ended. */
export interface CallRecord {
  kind: 'call';
  /** Milliseconds since the epoch, of its start. */
  time: number;
  /** Who called (`principal`). */
  caller: string;
  /** Absent when the call named no tool that there is. */
  server?: string;
  /** Raw name; of a call that named no tool, what it named. */
  tool: string;
  /** Of the definition in force. */
  hash?: string;
  /** As they were sent to the server, or came; redacted before they are written. */
  args?: JsonObject;
  decision: 'allow' | 'ask' | 'deny';
  /** Which rule of the policy decided. */
  rule: string;
  /** The idempotency key of the call, else an id of its own. */
  operationId: string;
  /** `ok`, `tool_error` (the tool says that it failed), `input_required`, or the code of an outcome. */
  outcome: string;
  durationMs: number;
  /** Of the host's request, where there was one. */
  requestId?: string;
  /** W3C Trace Context of the host's request; measured by, not written down. */
  traceparent?: string;
  tracestate?: string;
}

/** A process that was started. */
export interface SpawnRecord {
  kind: 'spawn';
  /** Milliseconds since the epoch. */
  time: number;
  server: string;
  /** Program and arguments; redacted before they are written. */
  command: string;
}

/** Takes what happened, to be written later: returns at once and never throws. */
export interface AuditSink {
  record(entry: CallRecord | SpawnRecord): void;
}

/** One line of the record, redacted. */
export interface AuditEntry {
  /** Grows with each entry. */
  id: number;
  /** ISO 8601. */
  time: string;
  kind: 'call' | 'spawn';
  caller?: string;
  server?: string;
  tool?: string;
  hash?: string;
  /** JSON; long ones are shortened. */
  arguments?: string;
  decision?: string;
  rule?: string;
  operationId?: string;
  outcome?: string;
  durationMs?: number;
  requestId?: string;
  /** Of a process that was started. */
  command?: string;
}

export interface AuditQuery {
  /** Only entries after this one, oldest first; without it the newest ones, also oldest first. */
  afterId?: number;
  /** Only entries before this one, the newest of them; not together with `afterId`. */
  beforeId?: number;
  /** Calls that did not end well. */
  failedOnly?: boolean;
  server?: string;
  /** Only entries with this text in the tool, caller, outcome or command, in any case. */
  text?: string;
  /** Default 100, at most 10 000. */
  limit?: number;
}

/** Calls that began in one stretch of time. */
export interface CallActivity {
  /** Milliseconds since the epoch at which the stretch begins: a multiple of its length. */
  start: number;
  calls: number;
  /** Of these, how many did not end well. */
  failures: number;
}

/** How long records are kept; the older ones go first. */
export interface AuditRetention {
  maxAgeMs: number;
  maxBytes: number;
}

/** Where the record lies. */
export interface AuditStore {
  /** Writes all or none, and gives up at once while another process writes. */
  add(entries: readonly Omit<AuditEntry, 'id'>[]): void;
  read(query?: AuditQuery): AuditEntry[];
  /** Calls since then, by stretches of so many milliseconds, oldest first; those without calls are left out. */
  activity(since: number, stretchMs: number): CallActivity[];
  /** Deletes some of what is not to be kept; true when there may be more. */
  prune(retention: AuditRetention): boolean;
}
