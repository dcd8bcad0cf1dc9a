import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { AuditEntry, AuditQuery, Toolcrib } from '../../model/index.ts';
import type { CommandContext } from '../command-context.ts';
import { type CommonOptions, openOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatLines } from '../output/lines.ts';
import { formatTable } from '../output/table.ts';

interface LogOptions extends CommonOptions {
  follow?: boolean;
  failed?: boolean;
  server?: string;
  limit: number;
}

/** How soon `--follow` shows what another process has written. */
const pollMs = 250;

/** `toolcrib log`: what was called, and which servers were started. */
export function addLogCommand(program: Command, { io, finish }: CommandContext): void {
  const command = program
    .command('log')
    .description('show what was called, and which servers were started')
    .option('--follow', 'go on with what is recorded from now on, until interrupted')
    .option('--failed', 'only calls that did not end well')
    .option('--server <id>', 'only what concerns this server')
    .option('--limit <count>', 'the newest entries', wholeNumber(1, 10_000), 100);
  withCommonOptions(command, 'toolcrib log --failed --json').action(async (options: LogOptions) => {
    const toolcrib = await io.app.open(openOptions(options));
    try {
      finish(await runLog(toolcrib, io, options));
    } finally {
      await toolcrib.close();
    }
  });
}

async function runLog(toolcrib: Toolcrib, io: CliIo, options: LogOptions): Promise<ExitCode> {
  const filter: AuditQuery = {
    ...(options.failed !== undefined && { failedOnly: options.failed }),
    ...(options.server !== undefined && { server: options.server }),
  };
  const entries = toolcrib.auditLog({ ...filter, limit: options.limit });
  if (!options.follow) {
    if (options.json) writeJson(io.stdout, entries);
    else io.stdout.write(await formatTable(headers, entries.map(toRow), io.stdout));
    return ExitCode.ok;
  }
  writeEach(io, entries, options);
  await follow(toolcrib, { io, filter, options, afterId: entries.at(-1)?.id ?? 0 });
  return ExitCode.ok;
}

interface Following {
  io: CliIo;
  filter: AuditQuery;
  options: LogOptions;
  afterId: number;
}

/** An interrupt is how it is meant to end. */
async function follow(toolcrib: Toolcrib, { io, filter, options, afterId }: Following): Promise<void> {
  let last = afterId;
  while (!io.signal?.aborted) {
    await delay(pollMs, undefined, io.signal === undefined ? {} : { signal: io.signal }).catch(() => undefined);
    const entries = toolcrib.auditLog({ ...filter, afterId: last, limit: 1_000 });
    writeEach(io, entries, options);
    last = entries.at(-1)?.id ?? last;
  }
}

/** One line each: a table cannot know how wide what is to come will be. */
function writeEach({ stdout }: CliIo, entries: readonly AuditEntry[], { json }: LogOptions): void {
  if (json)
    for (const entry of entries) writeJson({ ...stdout, write: (text) => stdout.write(text), isTTY: false }, entry);
  else stdout.write(formatLines(entries.map(toRow)));
}

const headers = ['TIME', 'SERVER', 'TOOL', 'OUTCOME', 'MS', 'CALLER', 'ARGUMENTS OR COMMAND'];

function toRow(entry: AuditEntry): string[] {
  const { time, kind, server = '', tool = '', outcome = '', durationMs, caller = '', command = '' } = entry;
  const isCall = kind === 'call';
  return [
    time,
    server,
    tool,
    isCall ? outcome : 'started',
    durationMs === undefined ? '' : durationMs.toFixed(0),
    caller,
    isCall ? (entry.arguments ?? '') : command,
  ];
}
