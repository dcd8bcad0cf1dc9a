import type { Command } from 'commander';
import type { PolicyTest, Toolcrib } from '../../model/index.ts';
import { parseCallArguments } from '../call-arguments.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { singleLine } from '../output/plain-text.ts';
import { listNewServers } from '../sync-servers.ts';

interface PolicyTestOptions extends CommonOptions {
  args?: string[];
  caller?: string;
  http?: boolean;
  sync: boolean;
}

/** `toolcrib policy test <tool>`: what would happen to a call, and by which rule. */
export function addPolicyCommand(program: Command, context: CommandContext): void {
  const policy = program.command('policy').description('look at the rules about who may call what');
  const test = policy
    .command('test')
    .description('say what would happen to a call, and by which rule; nothing is called')
    .argument('<tool>', 'full name, or the bare one where only one server has it')
    .option('--args <value...>', 'arguments: a JSON object, @file with one, or key=value pairs')
    .option('--caller <name>', 'who calls (default: local)')
    .option('--http', 'as if the call came over HTTP')
    .option('--no-sync', 'do not list servers that were never asked');
  withCommonOptions(test, 'toolcrib policy test github__delete_repo --http').action(
    async (name: string, options: PolicyTestOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runTest(toolcrib, context.io, name, options));
    },
  );
}

async function runTest(toolcrib: Toolcrib, io: CliIo, name: string, options: PolicyTestOptions): Promise<ExitCode> {
  const { args, caller, http, sync, json } = options;
  if (sync) await listNewServers(toolcrib, io);
  const result = toolcrib.testPolicy(name, {
    ...(args === undefined ? {} : { args: parseCallArguments(args, toolcrib.describe(name).inputSchema) }),
    ...(caller === undefined ? {} : { caller }),
    ...(http === undefined ? {} : { isOverHttp: http }),
  });
  if (json) writeJson(io.stdout, result);
  else io.stdout.write(formatTest(result));
  return ExitCode.ok;
}

function formatTest({ name, action, reason, effect, isEffectKnown, caller, problem }: PolicyTest): string {
  const facts = [
    `why: ${reason}`,
    `effect: ${isEffectKnown ? effect : `not known, so taken as ${effect}`}`,
    `caller: ${caller}`,
    ...(problem === undefined ? [] : [`but: ${problem}`]),
  ];
  return `${singleLine(name)}: ${action}\n${facts.map((fact) => `  ${singleLine(fact)}\n`).join('')}`;
}
