/**
 * Mixed load on one toolcrib while its servers crash and restart: `npm run -s soak -- --minutes 30`. Exit code 1: memory,
 * handles, files, child processes or listeners grew after the warm-up.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { positive, print } from '../timed-run.ts';
import { runSoak, type Sample } from './run-soak.ts';

const program = new Command('soak')
  .description('loads toolcrib for some time and looks at what stays behind')
  .option('--minutes <n>', 'for how long', positive, 30)
  .option('--seed <n>', 'makes the same choices again', Number, Date.now() % 2 ** 31)
  .action(run);

await program.parseAsync();

async function run({ minutes, seed }: { minutes: number; seed: number }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-soak-'));
  print(`seed ${seed}, ${minutes} min`);
  print(row(['time', 'steps', 'rss MiB', 'heap MiB', 'files', 'handles', 'children', 'listeners']));
  try {
    const { counts, growth } = await runSoak({
      seed,
      durationMs: minutes * 60_000,
      path: join(folder, 'catalog.db'),
      onSample: (sample) => print(row(cells(sample))),
    });
    print(
      Object.entries(counts)
        .map(([what, count]) => `${what} ${count}`)
        .join(', '),
    );
    for (const what of growth) print(what);
    print(growth.length === 0 ? 'flat' : 'not flat');
    if (growth.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function cells({ atMs, steps, rss, heap, files, handles, children, listeners }: Sample): string[] {
  const seconds = `${Math.round(atMs / 1_000)} s`;
  return [seconds, steps, inMebibytes(rss), inMebibytes(heap), files, handles, children, listeners].map(String);
}

function inMebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

function row(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(9)).join(' ');
}
