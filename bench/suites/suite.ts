import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { armNames } from '../arms/index.ts';
import { benchDataFolder, repositoryFolder, type SetFiles } from '../data/bench-data.ts';
import { BenchError } from '../data/bench-error.ts';
import { findMeasure } from '../metrics/measures.ts';

const measureName = z.string().refine((name) => findMeasure(name) !== undefined);

const suiteSchema = z
  .strictObject({
    name: z.string().min(1),
    /** One sentence for people. */
    about: z.string(),
    /** What the paths start from: the repository, or the folder of the labelled sets. */
    base: z.enum(['repository', 'benchData']),
    sets: z.array(z.strictObject({ set: z.string().min(1), tools: z.string(), queries: z.string() })).min(1),
    arms: z.array(z.enum(armNames)).min(1),
    /** How far a figure may fall behind what is expected. */
    tolerance: z.number().min(0).max(0.2),
    /** Set → arm → measure → figure. What is left out is measured but not judged. */
    expected: z.record(z.string(), z.partialRecord(z.enum(armNames), z.record(measureName, z.number()))),
  })
  .superRefine(({ sets, arms, expected }, context) => {
    for (const [set, byArm] of Object.entries(expected)) {
      if (!sets.some((known) => known.set === set)) {
        context.addIssue({ code: 'custom', path: ['expected', set], message: 'the suite has no such set' });
      }
      for (const arm of Object.keys(byArm)) {
        if (!arms.some((known) => known === arm)) {
          context.addIssue({ code: 'custom', path: ['expected', set, arm], message: 'the suite has no such arm' });
        }
      }
    }
  });

/** Sets, arms and what is expected of them: one file in `bench/suites/`. */
export type Suite = z.infer<typeof suiteSchema>;

const suiteFolder = fileURLToPath(new URL('.', import.meta.url));

/** Reads `bench/suites/NAME.json`, or the file NAME where it ends in `.json`. Throws BenchError that says what is wrong. */
export function loadSuite(name: string): Suite {
  const file = suiteFile(name);
  if (!existsSync(file)) {
    const known = readdirSync(suiteFolder).filter((entry) => entry.endsWith('.json'));
    throw new BenchError(`No suite ${name}. There are: ${known.map((entry) => basename(entry, '.json')).join(', ')}.`);
  }
  const parsed = suiteSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new BenchError(`${file} is no suite:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Writes a suite back, for `--update-expected`. */
export function saveSuite(name: string, suite: Suite): void {
  writeFileSync(suiteFile(name), formatSuite(suite));
}

/** Indented JSON with short lists on one line, as the formatter of the repository has it. */
export function formatSuite(suite: Suite): string {
  const text = JSON.stringify(suite, null, 2);
  return `${text.replace(/\[\n\s+([^[\]{}]+)\n\s+\]/gu, (_, items: string) => `[${items.replace(/\n\s+/gu, ' ')}]`)}\n`;
}

/** The files of every set. Throws BenchError that names those missing and says where they come from. */
export function suiteFiles(suite: Suite): SetFiles[] {
  const base = suite.base === 'repository' ? repositoryFolder : benchDataFolder();
  const files = suite.sets.map(({ set, tools, queries }) => ({
    set,
    tools: resolve(base, tools),
    queries: resolve(base, queries),
  }));
  const missing = files.flatMap(({ tools, queries }) => [tools, queries]).filter((file) => !existsSync(file));
  if (missing.length === 0) return files;
  const hint =
    suite.base === 'repository'
      ? ''
      : ' The labelled public sets are not part of the repository: name their folder in TOOLCRIB_BENCH_DATA (default ../shared/bench-data). `suite own` needs none of them.';
  throw new BenchError(
    `Suite ${suite.name} cannot run, these files are missing:\n${missing.join('\n')}\n${hint}`.trim(),
  );
}

function suiteFile(name: string): string {
  return name.endsWith('.json') ? resolve(name) : resolve(suiteFolder, `${name}.json`);
}
