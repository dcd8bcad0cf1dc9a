/**
 * Sends anything through every way into toolcrib, for some minutes: `npm run -s fuzz -- --minutes 10`. Exit code 1: something
 * went wrong, and the output says how to try that case again.
 */
import { Command, Option } from 'commander';
import { positive, print } from '../timed-run.ts';
import { runFuzz } from './run-fuzz.ts';
import { openTargets, targetNames } from './targets/index.ts';

interface Options {
  minutes: number;
  seed: number;
  target?: string;
  path?: string;
}

const program = new Command('fuzz')
  .description('puts random cases into toolcrib')
  .option('--minutes <n>', 'for how long, all targets together', positive, 10)
  .option('--seed <n>', 'makes the same cases again', Number, Date.now() % 2 ** 31)
  .addOption(new Option('--target <name>', 'one of them alone').choices(targetNames))
  .option('--path <path>', 'of an earlier failure, together with its target and seed')
  .action(run);

await program.parseAsync();

async function run({ minutes, seed, target, path }: Options): Promise<void> {
  const names = target === undefined ? targetNames : [target];
  const targets = await openTargets(names);
  const durationMs = (minutes * 60_000) / targets.length;
  print(`seed ${seed}, ${minutes} min`);
  try {
    for (const one of targets) {
      const [report] = await runFuzz([one], { seed, durationMs, ...(path === undefined ? {} : { path }) });
      print(`${one.name.padEnd(12)} ${String(report?.cases).padStart(8)} cases  ${report?.failure ?? 'ok'}`);
      if (report?.failure !== undefined) process.exitCode = 1;
    }
  } finally {
    for (const one of targets) await one.close();
  }
}
