import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CaseFile, EvaluationReport, Recall, Toolcrib } from '../../model/index.ts';
import { type CommandContext, runWithToolcrib } from '../command-context.ts';
import { type CommonOptions, withCommonOptions } from '../common-options.ts';
import { ExitCode } from '../exit-code.ts';
import type { CliIo } from '../io.ts';
import { formatEvaluation, formatFigures } from '../output/evaluation.ts';
import { writeJson } from '../output/json.ts';
import { createProgress } from '../output/progress.ts';
import { listNewServers } from '../sync-servers.ts';
import { readJsonFile, readTextFile, writeTextFile } from '../text-file.ts';

interface Bound {
  figure: 'recall@1' | 'recall@3' | 'recall@5' | 'recall@10' | 'model';
  least: number;
}

interface EvalCommandOptions extends CommonOptions {
  heldOut?: string[];
  baseline?: string;
  writeBaseline?: string;
  failBelow: Bound[];
  model?: boolean;
  sync: boolean;
}

const caseHelp = `
A case is an object: a line of JSON, or an item of a YAML list.
  id        for baselines; default file and line
  kind      task (default), boundary, missing_context, none, adversarial
  query     what the user says
  expect    the right tool, or tools that are all needed: full name, server/tool, or an unambiguous bare name
  accept    tools that are as right
  not       tools that it is easily taken for (boundary)
  missing   parameters whose values the user left out (missing_context)
  inject    { tool, text, attack } that goes into a tool's description (adversarial)
  note      whatever you like`;

/** `toolcrib eval <cases...>`: whether the right tools are found, and with --model chosen. Nothing is called. */
export function addEvalCommand(program: Command, context: CommandContext): void {
  const command = program
    .command('eval')
    .description('check on your own cases whether the right tools are found; nothing is called')
    .argument('<cases...>', 'case files, .jsonl or .yaml')
    .option('--held-out <file...>', 'cases that are only counted, so that nobody tunes to them')
    .option('--model', 'also run the cases through the model of the config ("quality.model")')
    .option('--baseline <file>', 'tell what is different from an earlier run')
    .option('--write-baseline <file>', 'keep this run to compare later ones with')
    .option(
      '--fail-below <figure>',
      'end with exit code 1 below it: 0.8 (recall@5), recall@1=0.6, model=0.7; may be repeated',
      collectBound,
      [],
    )
    .option('--no-sync', 'do not list servers that were never asked')
    .addHelpText('after', caseHelp);
  withCommonOptions(command, 'toolcrib eval cases.yaml --baseline baseline.json --fail-below 0.8').action(
    async (files: string[], options: EvalCommandOptions) => {
      await runWithToolcrib(context, { ...options, needsModel: true }, (toolcrib) =>
        runEval(toolcrib, context.io, files, options),
      );
    },
  );
}

function collectBound(text: string, earlier: Bound[]): Bound[] {
  const { figure = 'recall@5', least } =
    /^(?:(?<figure>recall@(?:1|3|5|10)|model)=)?(?<least>[01]|0?\.\d+|1\.0+)$/.exec(text)?.groups ?? {};
  if (least === undefined) throw new InvalidArgumentError('Expected a share such as 0.8, recall@1=0.6 or model=0.7.');
  return [...earlier, { figure: figure as Bound['figure'], least: Number(least) }];
}

async function runEval(toolcrib: Toolcrib, io: CliIo, files: string[], options: EvalCommandOptions): Promise<ExitCode> {
  if (options.sync) await listNewServers(toolcrib, io);
  const baseline = options.baseline === undefined ? undefined : readJsonFile(options.baseline);
  const report = await evaluate(toolcrib, io, files, options, baseline);
  if (options.writeBaseline !== undefined) {
    const kept = await toolcrib.quality().toBaseline(report);
    writeTextFile(options.writeBaseline, `${JSON.stringify(kept, null, 2)}\n`);
  }
  if (options.json) writeJson(io.stdout, report);
  else io.stdout.write(io.stdout.isTTY ? await formatEvaluation(report, io.stdout) : formatFigures(report));
  const missed = options.failBelow.filter((bound) => figureOf(report, bound.figure) < bound.least);
  for (const { figure, least } of missed) {
    io.stderr.write(`${figure} is ${figureOf(report, figure).toFixed(3)}, below ${least}.\n`);
  }
  return missed.length > 0 ? ExitCode.failed : ExitCode.ok;
}

async function evaluate(
  toolcrib: Toolcrib,
  io: CliIo,
  files: readonly string[],
  { heldOut = [], model }: EvalCommandOptions,
  baseline: unknown,
): Promise<EvaluationReport> {
  const progress = createProgress(io.stderr, 'evaluating');
  try {
    return await toolcrib.quality().evaluate({
      cases: files.map(readCaseFile),
      heldOut: heldOut.map(readCaseFile),
      useModel: model === true,
      onProgress: (done, of) => progress.update(`evaluating: ${done} of ${of} cases done`),
      ...(baseline === undefined ? {} : { baseline }),
      ...(io.signal === undefined ? {} : { signal: io.signal }),
    });
  } finally {
    progress.stop();
  }
}

function readCaseFile(path: string): CaseFile {
  return { name: basename(path), text: readTextFile(path) };
}

/** 0 where there is no such figure: a bound that nothing was measured for is not kept. */
function figureOf({ recall, model }: EvaluationReport, figure: Bound['figure']): number {
  if (figure === 'model') return model?.right ?? 0;
  return recall[figure.slice('recall@'.length) as keyof Recall];
}
