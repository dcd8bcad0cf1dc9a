import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../errors/index.ts';
import type {
  AuditEntry,
  AuditRetention,
  AuditSink,
  AuditStore,
  CallRecord,
  JsonObject,
  Logger,
  SpawnRecord,
} from '../model/index.ts';
import { cutText } from '../render/index.ts';
import type { Redactor } from '../telemetry/index.ts';

/** How long records wait to be written together: whoever follows them sees them soon, and no answer waits. */
const flushMs = 200;
/** Redacted and written at once, a millisecond or two; others have their turn in between. */
const rowsPerWrite = 50;
/** Kept while the file cannot be written; the oldest go then. */
const pendingMax = 5_000;
/** Characters of the arguments of one call. */
const argumentsMaxChars = 16_000;
const commandMaxChars = 2_000;
/** Half a second in all, at close. */
const closeTries = 20;
const closeDelayMs = 25;
/** Records after which the old ones are looked for again. */
const pruneEvery = 500;

export interface AuditTrailDeps {
  store: AuditStore;
  redactor: Pick<Redactor, 'args' | 'text'>;
  retention: AuditRetention;
  logger: Logger;
}

/** Writes the record of calls and starts, off the way of the calls: in batches, redacted, and the rest at `close`. */
export class AuditTrail implements AuditSink {
  readonly #deps: AuditTrailDeps;
  readonly #pending: (CallRecord | SpawnRecord)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #untilPrune = 0;

  constructor(deps: AuditTrailDeps) {
    this.#deps = deps;
  }

  record(entry: CallRecord | SpawnRecord): void {
    if (this.#pending.length >= pendingMax) this.#pending.shift();
    this.#pending.push(entry);
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  /** Writes what is left. Waits for another process that writes, but not for long. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (let tries = 0; this.#pending.length > 0 && tries < closeTries; ) {
      if (this.#write()) continue;
      tries += 1;
      await delay(closeDelayMs);
    }
    clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = undefined;
    const isWritten = this.#write();
    if (this.#pending.length === 0) return;
    this.#timer = setTimeout(() => this.#flush(), isWritten ? 0 : flushMs).unref();
  }

  #write(): boolean {
    const { store, retention, logger } = this.#deps;
    const batch = this.#pending.slice(0, rowsPerWrite);
    try {
      store.add(batch.map((entry) => this.#entry(entry)));
      this.#pending.splice(0, batch.length);
      this.#untilPrune -= batch.length;
      if (this.#untilPrune <= 0 && !store.prune(retention)) this.#untilPrune = pruneEvery;
      this.#isFailing = false;
      return true;
    } catch (error) {
      const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
      if (!isBusy && !this.#isFailing) {
        logger.warn('The record of calls cannot be written for now.', { error: messageOf(error) });
        this.#isFailing = true;
      }
      return false;
    }
  }

  #entry(entry: CallRecord | SpawnRecord): Omit<AuditEntry, 'id'> {
    const { redactor } = this.#deps;
    const time = new Date(entry.time).toISOString();
    if (entry.kind === 'spawn') {
      return { ...entry, time, command: redactor.text(entry.command).slice(0, commandMaxChars) };
    }
    const { args, tool, operationId, requestId, ...call } = entry;
    // Names and ids are the caller's words, and may hold anything.
    const words = {
      tool: redactor.text(tool),
      operationId: redactor.text(operationId),
      ...(requestId === undefined ? {} : { requestId: redactor.text(requestId) }),
    };
    return { ...call, ...words, time, ...(args === undefined ? {} : { arguments: this.#arguments(args) }) };
  }

  #arguments(args: JsonObject): string {
    return cutText(JSON.stringify(this.#deps.redactor.args(args)), argumentsMaxChars).text;
  }
}
