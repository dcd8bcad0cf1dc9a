import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import pico from 'picocolors';
import { ToolcribError } from '../../errors/index.ts';
import type { CallToolResult, Toolcrib } from '../../model/index.ts';
import { formatCount, plural } from '../../render/index.ts';
import type { CommandContext } from '../command-context.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { formatDuration } from '../output/figures.ts';
import { printable } from '../output/plain-text.ts';

/** `toolcrib demo`: the main job on three small servers that the package brings, in a folder that is removed afterwards. */
export function addDemoCommand(program: Command, { io, finish }: CommandContext): void {
  program
    .command('demo')
    .description('show what toolcrib does, on three small servers that come with it; leaves nothing behind')
    .addHelpText('after', '\nExample:\n  $ npx toolcrib demo')
    .action(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'toolcrib-demo-'));
      try {
        finish(await runDemo(io, folder));
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    });
}

async function runDemo(io: CliIo, folder: string): Promise<ExitCode> {
  const configPath = join(folder, 'toolcrib.json');
  writeFileSync(configPath, JSON.stringify(io.app.demoConfig()));
  const toolcrib = await io.app.open({ configPath, catalogPath: join(folder, 'catalog.sqlite') });
  const show = stage(io);
  try {
    show.title('Three MCP servers are started and listed');
    await listServers(toolcrib, show);
    show.title('What a model has to carry');
    const { definitionTokens, metaToolTokens, tools } = await toolcrib.stats();
    show.line(
      `every definition  ${formatCount(definitionTokens)} tokens (${plural(tools, 'tool')}; it grows with each server)`,
    );
    show.line(`three meta-tools  ${formatCount(metaToolTokens)} tokens (it stays so with 2,500 tools)`);
    await callAsModel(toolcrib, show, 'search_tools', { query: 'write down a note' });
    await callAsModel(toolcrib, show, 'call_tool', {
      name: 'notes__write_note',
      arguments: { title: 'Crib', text: 'The counter where tools are handed out.' },
    });
    await callAsModel(toolcrib, show, 'call_tool', { name: 'notes__read_note', arguments: { title: 'Crib' } });
    show.title('A wrong argument is explained, and never reaches the server');
    await callAsModel(
      toolcrib,
      show,
      'call_tool',
      {
        name: 'units__convert_length',
        arguments: { value: 3, from: 'miles', to: 'kilometre' },
      },
      true,
    );
    show.title('For your own servers');
    show.line('toolcrib import               takes over those of a host on this machine');
    show.line('toolcrib install claude-code  puts toolcrib in their place; uninstall takes it back');
    return ExitCode.ok;
  } finally {
    await toolcrib.close();
  }
}

interface Stage {
  title(text: string): void;
  line(text: string): void;
}

function stage({ stdout }: CliIo): Stage {
  const { bold } = pico.createColors(stdout.color);
  return {
    title: (text) => stdout.write(`\n${bold(text)}\n`),
    line: (text) => stdout.write(`${printable(text).replace(/^/gm, '  ')}\n`),
  };
}

async function listServers(toolcrib: Toolcrib, show: Stage): Promise<void> {
  const reports = await toolcrib.sync(undefined, ({ server, tools, durationMs, error }) =>
    show.line(
      `${server.padEnd(6)} ${plural(tools, 'tool')}, ${formatDuration(durationMs)}${error === undefined ? '' : `: ${error}`}`,
    ),
  );
  const failed = reports.filter(({ state }) => state !== 'ok').map(({ server }) => server);
  if (failed.length > 0) {
    throw new ToolcribError('upstream_unavailable', `Servers of the demo did not start: ${failed.join(', ')}.`, {
      next: 'Install toolcrib anew, and report it if that does not help.',
    });
  }
  await toolcrib.settled();
}

/** Shows the call as a model makes it, and what comes back as a model reads it. */
async function callAsModel(
  toolcrib: Toolcrib,
  show: Stage,
  name: string,
  args: Record<string, unknown>,
  isMeantToFail = false,
): Promise<void> {
  const result = await toolcrib.call(name, args);
  if (!isMeantToFail) show.title(`${name} ${JSON.stringify(args)}`);
  else show.line(`${name} ${JSON.stringify(args)}`);
  show.line(textOf(result));
  if ((result.isError === true) === isMeantToFail) return;
  throw new ToolcribError('internal', `A call of the demo went otherwise than it should: ${textOf(result)}`);
}

function textOf({ content }: CallToolResult): string {
  return content.map(({ text }) => String(text ?? '')).join('\n');
}
