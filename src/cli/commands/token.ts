import type { Command } from 'commander';
import type { TokenListing, Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, wholeNumber, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { writeJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';

interface CreateOptions extends CommonOptions {
  scope: string[];
  expires?: number;
}

/** Ten years; whoever wants longer wants a token that does not expire. */
const expiryMaxDays = 3_650;

/** `toolcrib token create | list | revoke`: who may call `serve --http`, and what. */
export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program.command('token').description('manage the tokens of callers over HTTP');
  const create = token
    .command('create')
    .description('make a token for a caller and print it, this once')
    .argument('<name>', 'who will call with it: "client:<name>" in rules and in the log')
    .requiredOption('--scope <scope...>', 'what for: server[:tool][@read|@write], globs; "*" is everything')
    .option('--expires <days>', 'days until it expires (default: never)', wholeNumber(1, expiryMaxDays));
  withCommonOptions(create, "toolcrib token create ci --scope 'github:list_*' docs --expires 90").action(
    async (name: string, options: CreateOptions) => {
      await runWithToolcrib(context, options, (toolcrib) => runCreate(toolcrib, context.io, name, options));
    },
  );
  const list = token.command('list').description('list all tokens, without their secrets');
  withCommonOptions(list, 'toolcrib token list').action(async (options: CommonOptions) => {
    await runWithToolcrib(context, options, (toolcrib) => runList(toolcrib, context.io, options));
  });
  const revoke = token
    .command('revoke')
    .description('end a token within a second, also for what is open with it')
    .argument('<name>', 'the name of the caller, or the id of the token');
  withCommonOptions(revoke, 'toolcrib token revoke ci').action(async (name: string, options: CommonOptions) => {
    await runWithToolcrib(context, options, (toolcrib) => runRevoke(toolcrib, context.io, name, options));
  });
}

/** The secret alone goes to stdout, so that it can be piped to where it is kept. */
async function runCreate(toolcrib: Toolcrib, io: CliIo, name: string, options: CreateOptions): Promise<ExitCode> {
  const { scope: scopes, expires, json } = options;
  const token = toolcrib.createToken(name, {
    scopes,
    ...(expires === undefined ? {} : { expiresInDays: expires }),
  });
  if (json) {
    writeJson(io.stdout, token);
    return ExitCode.ok;
  }
  const end = token.expiresAt === undefined ? 'does not expire' : `expires ${token.expiresAt}`;
  io.stderr.write(`Token ${token.id} of ${token.name} for ${token.scopes.join(' ')}; it ${end}. Shown this once:\n`);
  io.stdout.write(`${token.secret}\n`);
  return ExitCode.ok;
}

async function runList(toolcrib: Toolcrib, io: CliIo, { json }: CommonOptions): Promise<ExitCode> {
  const tokens = toolcrib.tokens();
  if (json) writeJson(io.stdout, tokens);
  else io.stdout.write(await formatTable(headers, tokens.map(toRow), io.stdout));
  return ExitCode.ok;
}

const headers = ['ID', 'NAME', 'STATE', 'CREATED', 'EXPIRES', 'SCOPES'];

function toRow({ id, name, state, createdAt, expiresAt = 'never', scopes }: TokenListing): string[] {
  return [id, name, state, createdAt, expiresAt, scopes.join(' ')];
}

async function runRevoke(toolcrib: Toolcrib, io: CliIo, name: string, { json }: CommonOptions): Promise<ExitCode> {
  const revoked = toolcrib.revokeToken(name);
  if (json) writeJson(io.stdout, revoked);
  else io.stderr.write(`Revoked token ${revoked.id} of ${revoked.name}.\n`);
  return ExitCode.ok;
}
