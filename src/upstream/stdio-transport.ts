import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Logger } from '../model/index.ts';
import { NotExecutedError } from './faults.ts';
import { LineSplitter, type LongLine } from './line-splitter.ts';
import { answeredBy } from './long-answer.ts';
import { endGroup, signalGroup } from './process-group.ts';
import { oneLine } from './text.ts';
import type { GroupRegistry } from './watchdog-client.ts';

/** Steps of a shutdown (MCP "stdio", shutdown): together under 5 s, as hosts kill a child that takes longer. */
const endOfInputGraceMs = 1_500;
const terminateGraceMs = 1_500;
const killWaitMs = 500;
/** For what a server left behind in its group when it ended by itself. */
const leftoverGraceMs = 500;
/** How long output is read on after the exit: a grandchild may hold the pipe open for ever. */
const drainMs = 200;
/** How long after the end of its output a process may take to end as well, before it counts as lost. */
const exitAfterOutputMs = 500;
/** Lines on stdout that are no messages: the first are logged, to be seen, the rest would only fill the log. */
const noiseLinesLogged = 3;
const noiseLineMaxLength = 200;
/** Last lines of stderr that go into the explanation when the server ends. */
const stderrLinesKept = 5;
/** A line of a log; programs that write without line ends are cut here. */
const stderrLineMaxBytes = 64 * 1024;
/** A message of this many times the limit is taken as one without end, and so is the server. */
const endlessFactor = 8;

export interface StdioTransportOptions {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd?: string;
  messageMaxBytes: number;
  /** Told of an answer that was too large to be read. */
  onAnswerTooLarge(requestId: string | number): void;
  watchdog: GroupRegistry;
  logger: Logger;
}

/**
 * MCP over the pipes of a child process (MCP "Transports", stdio). Differs from the SDK's transport in that the child
 * leads a process group, which is ended as a whole and known to the watchdog, and in that large messages pass.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #options: StdioTransportOptions;
  readonly #stderrLines: string[] = [];
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #ended: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #isDeaf = false;
  #hasReportedClose = false;
  #noiseLines = 0;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** How the process ended and the last lines it printed to stderr: for people, never for a model. */
  get exitReport(): string | undefined {
    const child = this.#child;
    if (child === undefined || (child.exitCode === null && child.signalCode === null)) return undefined;
    const how = child.signalCode === null ? `exit code ${child.exitCode}` : `signal ${child.signalCode}`;
    const said = this.#stderrLines.length === 0 ? '' : `; last output: ${this.#stderrLines.join(' | ')}`;
    return `the process ended with ${how}${said}`;
  }

  /** True when the process ended by itself and in order. */
  get exitedCleanly(): boolean {
    return this.#child?.exitCode === 0;
  }

  /** Starts the process. Rejects with the system's error when there is no such command or folder. */
  async start(): Promise<void> {
    const { command, args, env, cwd, watchdog } = this.#options;
    watchdog.start();
    const child = spawn(command, args, {
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      env,
      ...(cwd === undefined ? {} : { cwd }),
      windowsHide: true,
    });
    this.#child = child;
    if (child.pid !== undefined) watchdog.add(child.pid);
    child.on('error', (error) => this.onerror?.(error));
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    this.#readOutput(child);
    child.stdin?.on('error', (error) => this.onerror?.(error));
    // Written together, messages fail together: one that was read would count as unread, and be sent a second time.
    if (child.stdin !== null) Object.assign(child.stdin, { _writev: null });
    this.#ended = this.#exited.then(() => this.#finish(child));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  /** Rejects with `NotExecutedError` when the process cannot have read the message to its end. */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable || this.#isDeaf || this.#closing !== undefined) {
      throw new NotExecutedError('its input or output is closed');
    }
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(new NotExecutedError('its input is closed', { cause: error }));
        else resolve();
      });
    });
  }

  /** End of input, then SIGTERM, then SIGKILL to the whole group; resolves when the group is gone. */
  async close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    await this.#closing;
  }

  async #shutDown(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin?.end();
    if (!(await this.#exitsWithin(endOfInputGraceMs))) {
      signalGroup(child.pid, 'SIGTERM');
      if (!(await this.#exitsWithin(terminateGraceMs))) {
        signalGroup(child.pid, 'SIGKILL');
        await this.#exitsWithin(killWaitMs);
      }
    }
    await this.#ended;
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const inTime = await Promise.race([this.#exited.then(() => true), late]);
    clearTimeout(timer);
    return inTime;
  }

  /** After the exit, by itself or not: read what is in the pipe, end what is left of the group, report the close. */
  async #finish(child: ChildProcess): Promise<void> {
    await drained(child);
    child.stdout?.destroy();
    child.stderr?.destroy();
    this.#reportClose();
    if (child.pid === undefined) return;
    await endGroup(child.pid, leftoverGraceMs);
    this.#options.watchdog.remove(child.pid);
  }

  /** A server that closed its output can answer nothing any more, even if it goes on running. */
  async #outputEnded(): Promise<void> {
    this.#isDeaf = true;
    // Output ends with the process too, and how that ended explains more.
    if (await this.#exitsWithin(exitAfterOutputMs)) return;
    this.#reportClose();
    await this.close();
  }

  #reportClose(): void {
    if (this.#hasReportedClose) return;
    this.#hasReportedClose = true;
    this.onclose?.();
  }

  #readOutput(child: ChildProcess): void {
    const stdout = new LineSplitter(this.#options.messageMaxBytes, (line) => this.#tooLong(line));
    child.stdout?.on('data', (chunk: Buffer) => {
      for (const line of stdout.push(chunk)) this.#receive(line);
    });
    child.stdout?.once('close', () => void this.#outputEnded());
    const stderr = new LineSplitter(stderrLineMaxBytes, ({ isComplete }) => {
      if (isComplete) this.#keepStderr('(a line too long to show)');
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      for (const line of stderr.push(chunk)) this.#keepStderr(line);
    });
    child.stderr?.once('end', () => this.#keepStderr(stderr.rest()));
    child.stdout?.on('error', () => {});
    child.stderr?.on('error', () => {});
  }

  /** The answer to one request ends that request; what cannot be told from the other calls that wait ends them all. */
  #tooLong(line: LongLine): void {
    const { messageMaxBytes, onAnswerTooLarge } = this.#options;
    const id = answeredBy(line);
    if (line.isComplete && id !== undefined) {
      onAnswerTooLarge(id);
      return;
    }
    if (!line.isComplete && line.bytes < messageMaxBytes * endlessFactor) return;
    this.onerror?.(new Error(`A line is longer than ${messageMaxBytes} bytes.`));
    void this.close();
  }

  #receive(line: string): void {
    for (const message of messagesOf(line) ?? this.#noise(line)) {
      try {
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  #noise(line: string): never[] {
    if (line.trim() !== '' && this.#noiseLines++ < noiseLinesLogged) {
      this.#options.logger.info('Skipped a line on stdout that is no MCP message.', {
        line: oneLine(line, noiseLineMaxLength),
      });
    }
    return [];
  }

  #keepStderr(line: string): void {
    if (line.trim() === '') return;
    this.#options.logger.debug('stderr', { line });
    this.#stderrLines.push(oneLine(line, noiseLineMaxLength));
    if (this.#stderrLines.length > stderrLinesKept) this.#stderrLines.shift();
  }
}

/** The messages of a line, several for a batch of the older revisions; undefined when it holds none. */
function messagesOf(line: string): JSONRPCMessage[] | undefined {
  if (!/^\s*[[{]/.test(line)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const messages = (Array.isArray(value) ? value : [value]).filter(isMessage);
  return messages.length > 0 ? messages : undefined;
}

/** Programs log JSON as well; a message has a method or answers an id. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null) return false;
  return 'method' in value || ('id' in value && ('result' in value || 'error' in value));
}

/** Resolves when both pipes have ended, or after a moment when something else holds them open. */
async function drained(child: ChildProcess): Promise<void> {
  const pipes = [child.stdout, child.stderr].filter((pipe) => pipe !== null && !pipe.readableEnded && !pipe.destroyed);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  const ends = pipes.map((pipe) => new Promise<void>((resolve) => pipe?.once('close', resolve).once('end', resolve)));
  await Promise.race([Promise.all(ends), late]);
  clearTimeout(timer);
}
