import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { repositoryFolder } from '../data/bench-data.ts';

/** What a recorded run was made on. Neither host names nor paths: runs are published. */
export interface Environment {
  /** Day of the run, UTC. */
  date: string;
  cpu: string;
  cores: number;
  memoryGb: number;
  platform: string;
  arch: string;
  node: string;
  toolcrib: string;
  /** Short hash, with `+` where the working tree had changes; absent outside a git checkout. */
  commit?: string;
  /** Versions of what ranks or stores. */
  dependencies: Record<string, string>;
}

const measuredDependencies = ['better-sqlite3', 'onnxruntime-node', 'flexsearch', 'minisearch'];

export function readEnvironment(): Environment {
  const manifest = readManifest('package.json');
  const [cpu] = cpus();
  const commit = readCommit();
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    platform: platform(),
    arch: arch(),
    node: process.version,
    toolcrib: manifest.version,
    ...(commit === undefined ? {} : { commit }),
    dependencies: Object.fromEntries(
      measuredDependencies.map((name) => [name, readManifest(`node_modules/${name}/package.json`).version]),
    ),
  };
}

/** `amd-epyc-2c`: what tells machines apart in the name of a run. */
export function machineName({ cpu, cores }: Pick<Environment, 'cpu' | 'cores'>): string {
  const words = cpu
    .toLowerCase()
    .replace(/\((r|tm)\)|processor|cpu|@.*$/gu, ' ')
    .match(/[a-z0-9]+/gu);
  return `${(words ?? ['machine']).join('-')}-${cores}c`;
}

function readManifest(path: string): { version: string } {
  return JSON.parse(readFileSync(join(repositoryFolder, path), 'utf8'));
}

function readCommit(): string | undefined {
  try {
    const hash = git('rev-parse', '--short', 'HEAD');
    return git('status', '--porcelain', '--untracked-files=no') === '' ? hash : `${hash}+`;
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: repositoryFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
