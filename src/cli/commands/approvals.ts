import type { Command } from 'commander';
import { ToolcribError } from '../../errors/index.ts';
import type { CallToApprove, Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo, TextOutput } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { showUnseen, singleLine } from '../output/plain-text.ts';
import { formatTable } from '../output/table.ts';

interface GrantOptions extends CommonOptions {
  for?: number;
}

/** `toolcrib approvals list` and `approvals grant <id>`: calls that a person has to allow, because their host cannot ask. */
export function addApprovalsCommand(program: Command, context: CommandContext): void {
  const approvals = program.command('approvals').description('list and grant calls that wait for a person');
  const list = approvals.command('list').description('list the calls that wait for a person');
  withCommonOptions(list, 'toolcrib approvals list').action(async (options: CommonOptions) => {
    await runWithToolcrib(context, options, (toolcrib) => runList(toolcrib, context.io, options));
  });
  const grant = approvals
    .command('grant')
    .description('allow one call to its caller, once within 15 minutes; needs a terminal')
    .argument('<id>', 'the id of the request')
    .option('--for <minutes>', 'allow it as often as it is made within so many minutes', wholeNumber(1, maxMinutes));
  withCommonOptions(grant, 'toolcrib approvals grant 3q2-7wEjRWeJq83vEjRWeA').action(
    async (id: string, options: GrantOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runGrant(toolcrib, context.io, id, options));
    },
  );
}

/** Whoever wants more than a day writes a rule. */
const maxMinutes = 24 * 60;

async function runList(toolcrib: Toolcrib, io: CliIo, { json }: CommonOptions): Promise<ExitCode> {
  const calls = toolcrib.callsToApprove();
  if (json) writeJson(io.stdout, calls);
  else io.stdout.write(await formatCalls(calls, io.stdout));
  return ExitCode.ok;
}

function formatCalls(calls: readonly CallToApprove[], output: TextOutput): Promise<string> {
  const headers = ['ID', 'TOOL', 'CALLER', 'REQUESTED', 'ARGUMENTS'];
  const rows = calls.map((call) => [call.id, call.name, call.caller, call.requestedAt, JSON.stringify(call.arguments)]);
  return formatTable(headers, rows, output);
}

async function runGrant(toolcrib: Toolcrib, io: CliIo, id: string, options: GrantOptions): Promise<ExitCode> {
  const { prompt } = io;
  if (prompt === undefined) {
    throw new ToolcribError('terminal_required', `approvals grant ${JSON.stringify(id)} was run without a terminal.`);
  }
  const call = toolcrib.callsToApprove().find((one) => one.id === id);
  if (call === undefined) {
    throw new ToolcribError('approval_unknown', `No call waits for an approval under the id ${JSON.stringify(id)}.`);
  }
  io.stderr.write(formatCall(call));
  const { for: minutes } = options;
  const extent = minutes === undefined ? 'this call once' : `this call for ${minutes} minutes`;
  if (!/^\s*y(?:es)?\s*$/i.test((await prompt(`Allow ${extent}? [y/N] `, io.signal)) ?? '')) {
    io.stderr.write('Nothing was allowed.\n');
    return ExitCode.failed;
  }
  const granted = toolcrib.grantCall(id, minutes === undefined ? {} : { isRepeatable: true, minutes });
  if (options.json) writeJson(io.stdout, granted);
  else io.stdout.write(`${singleLine(granted.name)} is allowed; it runs when it is called again.\n`);
  return ExitCode.ok;
}

/** All of it, with nothing unseen: this is what a person decides about. */
function formatCall({ name, server, tool, caller, effect, isEffectKnown, arguments: args }: CallToApprove): string {
  return [
    singleLine(`${name} (tool ${tool} of server ${server})`),
    singleLine(`caller: ${caller}`),
    `effect: ${isEffectKnown ? effect : `not known, so it may be ${effect}`}`,
    `arguments: ${JSON.stringify(args, null, 2).split('\n').map(showUnseen).join('\n')}`,
    '',
  ].join('\n');
}
