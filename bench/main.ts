/**
 * The benchmark: selection accuracy and token cost, measured offline through the public API. Imports `src/index.ts`
 * and nothing else of the product.
 */
import { Command, Option } from 'commander';
import { armNames } from './arms/index.ts';
import { measureAccuracy } from './commands/accuracy.ts';
import { measureTokens } from './commands/tokens.ts';

const program = new Command('bench').description('Measures toolcrib offline on labelled files.');

program
  .command('accuracy')
  .description('ranking quality on labelled queries')
  .requiredOption('--tools <file>', 'tools.jsonl[.gz] or servers.jsonl[.gz]')
  .requiredOption('--queries <file>', 'labelled queries, one JSON object a line')
  .addOption(new Option('--arm <name>', 'ranking to measure').choices(armNames).default('hybrid'))
  .option('--catalog <file>', 'keep the ingested catalog in this file for the next run')
  .option('--json', 'one JSON object instead of a table')
  .action(async (options) => print(await measureAccuracy(options), options.json));

program
  .command('tokens')
  .description('tokens per answer, against listing every definition')
  .requiredOption('--tools <file>', 'tools.jsonl[.gz] or servers.jsonl[.gz]')
  .requiredOption('--queries <file>', 'labelled queries, one JSON object a line')
  .option('--json', 'one JSON object instead of a table')
  .action(async (options) => print(await measureTokens(options), options.json));

await program.parseAsync();

function print(report: object, asJson: boolean | undefined): void {
  if (asJson) {
    process.stdout.write(`${JSON.stringify(report)}\n`);
    return;
  }
  for (const [key, value] of Object.entries(report)) {
    process.stdout.write(`${key.padEnd(18)} ${typeof value === 'object' ? JSON.stringify(value) : value}\n`);
  }
}
