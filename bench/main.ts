/**
 * The benchmark: selection accuracy, speed and token cost, measured offline through the public API. Imports `src/index.ts`
 * and nothing else of the product. Exit code 1: a suite fell below what is expected; 2: something is missing or wrong.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { armNames } from './arms/index.ts';
import { measureAccuracy } from './commands/accuracy.ts';
import { measureConsole } from './commands/console.ts';
import { measureOverhead } from './commands/overhead.ts';
import { measureSpeed } from './commands/speed.ts';
import { measureSuite } from './commands/suite.ts';
import { measureTokens } from './commands/tokens.ts';
import { BenchError } from './data/bench-error.ts';
import { recordSpeed, recordSuite } from './reports/runs.ts';
import { overheadTable, printReport, resultLine, shortfallLine, speedLine } from './reports/terminal.ts';
import { writeReports } from './reports/write-reports.ts';

const program = new Command('bench').description('Measures toolcrib offline on labelled files.');

program
  .command('accuracy')
  .description('ranking quality on labelled queries')
  .requiredOption('--tools <file>', 'tools.jsonl[.gz] or servers.jsonl[.gz]')
  .requiredOption('--queries <file>', 'labelled queries, one JSON object a line')
  .addOption(new Option('--arm <name>', 'ranking to measure').choices(armNames).default('hybrid'))
  .option('--catalog <file>', 'keep the ingested catalog in this file for the next run')
  .option('--json', 'one JSON object instead of a table')
  .action(async (options) => printReport(await measureAccuracy(options), options.json));

program
  .command('tokens')
  .description('tokens a search answer and a whole find-and-call, against listing every definition')
  .option('--tools <file>', 'tools.jsonl[.gz] or servers.jsonl[.gz] (default: real66, else bench/own)')
  .option('--queries <file>', 'labelled queries, one JSON object a line')
  .option('--json', 'one JSON object instead of a table')
  .action(async (options) => printReport(await measureTokens(options), options.json));

program
  .command('speed')
  .description('ingest, embedding, search, memory and size on disk, next to plain FTS5; needs a build')
  .option('--tools <sizes>', 'sizes of catalog, separated by commas', sizes, [1_000, 10_000, 100_000])
  .option('--record', 'keep the figures in bench/runs and remake the reports')
  .option('--json', 'one JSON list instead of a table')
  .action(async (options) => {
    const reports = await measureSpeed({ sizes: options.tools, onReport: (report) => progress(speedLine(report)) });
    if (options.record) announce([recordSpeed(reports), ...writeReports()]);
    if (options.json) process.stdout.write(`${JSON.stringify(reports)}\n`);
    else for (const report of reports) printReport(report, false);
  });

program
  .command('overhead')
  .description('what a call costs more through toolcrib than made directly; needs a build')
  .option('--n <calls>', 'calls each way', calls, 5_000)
  .option('--json', 'one JSON object instead of a table')
  .action(async (options) => {
    const report = await measureOverhead(options);
    if (options.json) printReport(report, true);
    else process.stdout.write(overheadTable(report));
  });

program
  .command('console')
  .description('how soon the console shows something, in Chromium; needs a build')
  .option('--tools <file>', 'tools.jsonl[.gz] or servers.jsonl[.gz] (default: real66, else bench/own)')
  .option('--queries <file>', 'labelled queries, one JSON object a line')
  .option('--json', 'one JSON object instead of a table')
  .action(async (options) => printReport(await measureConsole(options), options.json));

program
  .command('suite')
  .description('runs a suite of bench/suites; exit code 1 when a figure falls below what is expected')
  .argument('<name>', 'own, all, or a .json file')
  .option('--record', 'keep the figures in bench/runs and remake the reports')
  .option('--update-expected', 'make what is measured the expectation')
  .option('--no-cache', 'ingest and embed anew')
  .option('--json', 'one JSON object instead of lines')
  .action(async (name, options) => {
    const result = await measureSuite(name, { ...options, onResult: (arm) => progress(resultLine(arm)) });
    if (options.record) announce([recordSuite(result), ...writeReports()]);
    if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    for (const shortfall of result.shortfalls) process.stderr.write(`${shortfallLine(shortfall)}\n`);
    if (result.shortfalls.length > 0 && !options.updateExpected) process.exitCode = 1;
  });

program
  .command('report')
  .description('remakes bench/RESULTS.md and the plots from the newest recorded run')
  .action(() => announce(writeReports()));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

function sizes(text: string): number[] {
  const numbers = text.split(',').map(Number);
  if (numbers.some((size) => !Number.isInteger(size) || size < 1)) {
    throw new InvalidArgumentError('Give whole numbers above zero, such as 1000,10000.');
  }
  return numbers;
}

function calls(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Give a whole number above zero.');
  return count;
}

function progress(line: string): void {
  process.stderr.write(`${line}\n`);
}

function announce(files: readonly string[]): void {
  for (const file of files) progress(`wrote ${file}`);
}
