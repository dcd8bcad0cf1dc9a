import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpeedReport } from '../commands/speed.ts';
import { repositoryFolder } from '../data/bench-data.ts';
import type { SuiteResult } from '../suites/run-suite.ts';
import { type Environment, machineName, readEnvironment } from './environment.ts';

/** The files of `bench/runs/<date>-<machine>/`. One day's suites and sizes add up in one folder; a repeat replaces. */
interface RunFiles {
  /** Suites by name. */
  'results.json': Record<string, SuiteResult>;
  /** By size. */
  'speed.json': SpeedReport[];
  'environment.json': Environment;
}

/** The newest run that has this file. */
export interface Recorded<Name extends keyof RunFiles> {
  run: string;
  content: RunFiles[Name];
  environment: Environment;
}

const defaultFolder = join(repositoryFolder, 'bench/runs');

/** Returns the file written. */
export function recordSuite(result: SuiteResult, folder = defaultFolder): string {
  const run = openRun(folder);
  const suites = { ...readPart(run, 'results.json'), [result.suite]: result };
  return writePart(run, 'results.json', suites);
}

/** Returns the file written. */
export function recordSpeed(reports: readonly SpeedReport[], folder = defaultFolder): string {
  const run = openRun(folder);
  const others = (readPart(run, 'speed.json') ?? []).filter((old) => !reports.some(({ tools }) => tools === old.tools));
  const all = [...others, ...reports].sort((a, b) => a.tools - b.tools);
  return writePart(run, 'speed.json', all);
}

/** Names begin with the date, so the last is the newest. */
export function newestRun<Name extends keyof RunFiles>(name: Name, folder = defaultFolder): Recorded<Name> | undefined {
  const runs = existsSync(folder) ? readdirSync(folder).sort().reverse() : [];
  const run = runs.find((candidate) => existsSync(join(folder, candidate, name)));
  if (run === undefined) return undefined;
  const path = join(folder, run);
  const content = readPart(path, name);
  const environment = readPart(path, 'environment.json');
  if (content === undefined || environment === undefined) return undefined;
  return { run, content, environment };
}

function openRun(folder: string): string {
  const environment = readEnvironment();
  const run = join(folder, `${environment.date}-${machineName(environment)}`);
  mkdirSync(run, { recursive: true });
  writePart(run, 'environment.json', environment);
  return run;
}

function readPart<Name extends keyof RunFiles>(run: string, name: Name): RunFiles[Name] | undefined {
  const file = join(run, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function writePart<Name extends keyof RunFiles>(run: string, name: Name, content: RunFiles[Name]): string {
  const file = join(run, name);
  writeFileSync(file, `${JSON.stringify(content, null, 1)}\n`);
  return file;
}
