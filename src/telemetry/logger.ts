import { createRequire } from 'node:module';
import type { DestinationStream, LoggerOptions as PinoOptions } from 'pino';
import type { LogEntry, Logger } from '../model/index.ts';
import { formatLine } from './human-line.ts';
import { createRedactor } from './redactor.ts';

/** The least level that is written; `silent` writes nothing. */
export type LogLevel = LogEntry['level'] | 'silent';

export interface LoggerOptions {
  /** Least level that is written. */
  level: LogLevel;
  /** Taken out of messages and fields; those under four characters are left. */
  secrets?: readonly string[];
  /** Where lines go: short ones for people on a terminal, JSON otherwise. Default: stderr. */
  destination?: LogDestination;
  /** Gets every entry, whatever the level: redacted like the written ones. */
  onEntry?: (entry: LogEntry) => void;
}

interface LogDestination {
  write(text: string): unknown;
  isTTY?: boolean;
}

const stderrFd = 2;

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

/** Creates the log of one toolcrib. It never throws, and never writes to stdout. */
export function createLogger({ level, secrets = [], destination, onEntry }: LoggerOptions): Logger {
  const redactor = createRedactor(secrets);
  let lines: ReturnType<typeof createLines> | undefined;
  const log =
    (entryLevel: LogEntry['level']) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      const isWritten = levels.indexOf(entryLevel) >= levels.indexOf(level);
      if (!isWritten && onEntry === undefined) return;
      const entry: LogEntry = {
        level: entryLevel,
        message: redactor.text(message),
        fields: redactor.value(fields) as Record<string, unknown>,
        time: Date.now(),
      };
      if (isWritten) {
        lines ??= createLines(level, destination);
        lines[entryLevel]({ time: new Date(entry.time).toISOString(), ...withoutOwnKeys(entry.fields) }, entry.message);
      }
      onEntry?.(entry);
    };
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}

/** Only for the first line: a command that has nothing to say starts without pino. */
function createLines(level: LogLevel, destination: LogDestination | undefined) {
  const { pino } = loadPino();
  return pino(pinoOptions(level), destinationStream(destination));
}

function loadPino(): typeof import('pino') {
  return createRequire(import.meta.url)('pino') as typeof import('pino');
}

/** Fields come redacted and plain, so pino has nothing to turn into something else. */
function pinoOptions(level: LogLevel): PinoOptions {
  return {
    level,
    base: null,
    messageKey: 'message',
    timestamp: false,
    serializers: { err: (value) => value },
    formatters: { level: (label) => ({ level: label }) },
  };
}

/** A field must not pass for the level, the time or the message of its line. */
function withoutOwnKeys(fields: Record<string, unknown>): Record<string, unknown> {
  const ownKeys = ['level', 'time', 'message'];
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [ownKeys.includes(key) ? `${key}_` : key, value]),
  );
}

function destinationStream(destination: LogDestination | undefined): DestinationStream {
  if (destination === undefined) return process.stderr.isTTY ? humanStream(process.stderr) : stderrStream();
  return destination.isTTY ? humanStream(destination) : { write: (line) => void destination.write(line) };
}

/** Written at once, so that the last line before a crash is there. A host that closed stderr ends no process. */
function stderrStream(): DestinationStream {
  const stream = loadPino().destination({ fd: stderrFd, sync: true });
  stream.on('error', () => undefined);
  return stream;
}

function humanStream(terminal: LogDestination): DestinationStream {
  return { write: (line) => void terminal.write(formatLine(JSON.parse(line))) };
}
