import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { builtFile, type Logger, steadyNow } from '../model/index.ts';

/** Delays between starts of a watchdog that keeps ending; after the last one the next server starts it. */
const startAgainDelaysMs = [0, 1_000, 10_000];
/** One that lived this long was in order: its end is answered as the first one. */
const stableMs = 60_000;

/** Where process groups are reported, so that they die with toolcrib however it dies. */
export interface GroupRegistry {
  /** Call before the first child is spawned, so that there is no moment without a watchdog. */
  start(): void;
  add(groupId: number): void;
  remove(groupId: number): void;
}

/** The pipe to the watchdog process; see `watchdog.ts`. One for all servers, started with the first. */
export class Watchdog implements GroupRegistry {
  #process: ChildProcess | undefined;
  readonly #groups = new Set<number>();
  readonly #env: Record<string, string>;
  readonly #logger: Logger;
  #closed = false;
  #startedAt = 0;
  #failures = 0;

  constructor(options: { env: Record<string, string>; logger: Logger }) {
    this.#env = options.env;
    this.#logger = options.logger;
  }

  start(): void {
    if (this.#process !== undefined || this.#closed) return;
    const program = builtFile('upstream/watchdog');
    const child = spawn(process.execPath, [program], {
      // A session of its own: Ctrl-C in the terminal must not end it before toolcrib.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: this.#env,
      cwd: dirname(program),
      windowsHide: true,
    });
    child.on('error', (error) => this.#lost(child, error.message));
    child.on('exit', (code, signal) => this.#lost(child, `it ended (${signal ?? `code ${code}`})`));
    child.stdin?.on('error', () => {});
    child.unref();
    (child.stdin as Socket | null)?.unref();
    this.#process = child;
    this.#startedAt = steadyNow();
    for (const groupId of this.#groups) this.#write(`+${groupId}`);
  }

  add(groupId: number): void {
    this.start();
    this.#groups.add(groupId);
    this.#write(`+${groupId}`);
  }

  remove(groupId: number): void {
    this.#groups.delete(groupId);
    this.#write(`-${groupId}`);
  }

  /** Ends the watchdog. Groups that are still registered are ended by it. */
  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.ref();
    child.stdin?.end();
    await exited;
  }

  #write(line: string): void {
    this.#process?.stdin?.write(`${line}\n`);
  }

  #lost(child: ChildProcess, reason: string): void {
    if (this.#process !== child) return;
    this.#process = undefined;
    if (this.#closed) return;
    this.#failures = steadyNow() - this.#startedAt > stableMs ? 1 : this.#failures + 1;
    const delayMs = startAgainDelaysMs[this.#failures - 1];
    const next = delayMs === undefined ? 'with the next server' : 'now';
    this.#logger.warn(`The watchdog is gone; it is started again ${next}.`, {
      reason,
      ...(delayMs !== undefined && { delayMs }),
    });
    if (delayMs === undefined) return;
    setTimeout(() => {
      // Without a server there is nothing to watch, and the next one starts it.
      if (this.#groups.size > 0) this.start();
    }, delayMs).unref();
  }
}
