/**
 * - `running`: sent, and not answered yet.
 * - `paused`: it waits for answers to questions of its server.
 * - `done`: answered.
 * - `unknown`: it was sent, and whether it took effect nobody knows.
 */
export type OperationState = 'running' | 'paused' | 'done' | 'unknown';

/** A call that its host gave an idempotency key. */
export interface Operation {
  /** SHA-256 (hex) over server, tool and arguments. */
  digest: string;
  state: OperationState;
  /** Which process runs it. */
  owner: string;
  /** Until when the owner is known to be there, in milliseconds since the epoch; it says so again before. */
  aliveUntil: number;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** JSON of what came of it: a result, or the error of an unknown outcome. Absent while it runs, and where it is too large. */
  outcome?: string;
}

/** Whose operation, and by which key: one caller's keys are nobody else's. */
export interface OperationKey {
  caller: string;
  key: string;
}

/** What is known of operations, for a day, within bounds; several processes share it. */
export interface OperationStore {
  find(id: OperationKey): Operation | undefined;
  /** Notes that one starts; false, and nothing done, where one of this key is known already. */
  start(id: OperationKey, operation: Pick<Operation, 'digest' | 'owner' | 'aliveUntil'>): boolean;
  /** Goes on with one that is paused; false where it is not, or not any more. */
  resume(id: OperationKey, operation: Pick<Operation, 'digest' | 'owner' | 'aliveUntil'>): boolean;
  /** Notes what became of one. */
  settle(id: OperationKey, state: Exclude<OperationState, 'running'>, outcome?: string): void;
  /** Forgets one that never ran, so that its key is free again. */
  forget(id: OperationKey): void;
  /** Says that the owner is still there, of all that it runs. */
  keepAlive(owner: string, aliveUntil: number): void;
}
