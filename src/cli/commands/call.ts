import type { Command } from 'commander';
import {
  type CallOptions,
  type CallToolResult,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Toolcrib,
} from '../../model/index.ts';
import { askUser } from '../ask-user.ts';
import { parseCallArguments } from '../call-arguments.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { formatResult } from '../output/call-result.ts';
import { writeJson } from '../output/json.ts';
import { printable } from '../output/plain-text.ts';
import { createProgress, type ProgressReporter } from '../output/progress.ts';
import { listNewServers } from '../sync-servers.ts';

/** Tools that toolcrib has of its own, besides those whose name starts with its prefix: no server describes them. */
const metaTools = ['search_tools', 'describe_tool', 'call_tool'];
const ownPrefix = 'toolcrib__';

interface CallCommandOptions extends CommonOptions {
  args?: string[];
  sync: boolean;
}

/** `toolcrib call <tool> --args …`: runs a tool and prints its result. Fails when the result is an error. */
export function addCallCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('call')
    .description('run a tool')
    .argument('<tool>', 'full name, or the bare one where only one server has it')
    .option('--args <value...>', 'arguments: a JSON object, @file with one, or key=value pairs')
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(command, 'toolcrib call github__get_issue --args owner=octo repo=hello issue_number=7').action(
    async (name: string, options: CallCommandOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runCall(toolcrib, context.io, name, options));
    },
  );
}

async function runCall(toolcrib: Toolcrib, io: CliIo, name: string, options: CallCommandOptions): Promise<ExitCode> {
  if (options.sync) await listNewServers(toolcrib, io);
  const args = parseCallArguments(options.args ?? [], inputSchemaOf(toolcrib, name));
  const result = await callWithProgress(toolcrib, io, name, args);
  const isError = result.isError === true;
  if (options.json) writeJson(io.stdout, result);
  else (isError ? io.stderr : io.stdout).write(formatResult(result, io.stdout.isTTY || isError) + loginHint(result));
  return isError ? ExitCode.failed : ExitCode.ok;
}

/** What a model is not told: how its user logs in. Servers cannot make it up, since the key is ours. */
function loginHint({ _meta: meta }: CallToolResult): string {
  const error = meta?.['dev.toolcrib/error'];
  if (!isJsonObject(error) || error.code !== 'login_required') return '';
  return printable(`next: Run \`toolcrib login ${String(error.server)}\`.\n`);
}

/** Also the check that there is such a tool: throws `unknown_tool` and `ambiguous_tool`, which a result could not tell. */
function inputSchemaOf(toolcrib: Toolcrib, name: string): JsonValue | undefined {
  if (metaTools.includes(name) || name.startsWith(ownPrefix)) return undefined;
  return toolcrib.describe(name).inputSchema;
}

async function callWithProgress(
  toolcrib: Toolcrib,
  io: CliIo,
  name: string,
  args: JsonObject,
): Promise<CallToolResult> {
  const progress = createProgress(io.stderr, `calling ${name}`);
  try {
    return await toolcrib.call(name, args, callOptions(io, name, progress));
  } finally {
    progress.stop();
  }
}

function callOptions(io: CliIo, name: string, progress: ProgressReporter): CallOptions {
  const { prompt, signal } = io;
  return {
    ...(signal !== undefined && { signal }),
    ...(prompt !== undefined && {
      onElicitation: (request) => {
        // It would draw over what is asked and typed.
        progress.stop();
        return askUser(io, (question) => prompt(question, request.signal), request);
      },
    }),
    onProgress: (tick) => {
      const share = tick.total === undefined ? `${tick.progress}` : `${tick.progress} of ${tick.total}`;
      progress.update(`calling ${name}: ${tick.message ?? share}`);
    },
  };
}
