import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import BetterSqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openCatalog } from '../../src/catalog/index.ts';
import { createToolAnalyzer } from '../../src/search/index.ts';
import { temporaryFolder } from '../catalog/harness.ts';
import { randomFrom, seed } from './seed.ts';

const writer = fileURLToPath(new URL('../fixtures/catalog/killed-writer.mjs', import.meta.url));
const built = new URL('../../dist/index.js', import.meta.url);
if (!existsSync(built)) throw new Error(`${built.pathname} is missing: run \`npm run build\` before these tests.`);

/** Kills on a file that is being created, with its tables, and on one that already holds a list. */
const kills = { whileCreating: 25, whileStoring: 75 };

/**
 * Runs the writer from a version on and kills it: so long after it has begun, or after it has stored its first list. Gives
 * what it has stored, 0 for nothing.
 */
async function writeUntilKilled(
  path: string,
  { from, after, waitMs }: { from: number; after: 'beginning' | 'first list'; waitMs: number },
): Promise<number> {
  const child = spawn(process.execPath, [writer, path, String(from)], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let errors = '';
  const awaited = after === 'beginning' ? 1 : 2;
  const reached = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.split('\n').length > awaited) resolve();
    });
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await Promise.race([reached, ended]);
  await sleep(waitMs);
  child.kill('SIGKILL');
  await ended;
  expect(errors).toBe('');
  return Number(out.split('\n').filter(Boolean).at(-1) ?? 0);
}

/** The version of the list in the file, which must be whole; 0 for none. */
function versionIn(path: string): number {
  const catalog = openCatalog({ path, analyzer: createToolAnalyzer() });
  const tools = catalog.tools();
  const isListed = catalog.servers().some(({ listedAt }) => listedAt !== undefined);
  catalog.indexPending();
  const indexed = catalog.documentFrequencies(['version']).frequencies.get('version') ?? 0;
  catalog.close();
  const descriptions = [...new Set(tools.map(({ definition }) => String(definition.description)))];
  const version = Number(descriptions[0]?.split(' ')[1] ?? 0);
  expect(descriptions).toEqual(version === 0 ? [] : [`version ${version}`]);
  expect(isListed).toBe(version > 0);
  expect(tools).toHaveLength(version === 0 ? 0 : 150 + (version % 9));
  expect(indexed).toBe(tools.length);
  const database = new BetterSqlite(path, { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
  return version;
}

it('a process killed at 100 random points leaves the old list or the new one, and nothing it said was stored is lost', {
  timeout: 600_000,
}, async () => {
  console.info(`FC_SEED=${seed}`);
  const random = randomFrom(seed);
  const folder = temporaryFolder();
  const upTo = (ms: number) => Math.floor(random() * ms);
  for (let kill = 0; kill < kills.whileCreating; kill += 1) {
    const path = join(folder, `new-${kill}.db`);
    const stored = await writeUntilKilled(path, { from: 0, after: 'beginning', waitMs: upTo(100) });
    if (existsSync(path)) expect(versionIn(path)).toBeGreaterThanOrEqual(stored);
  }
  const path = join(folder, 'kept.db');
  let known = 0;
  for (let kill = 0; kill < kills.whileStoring; kill += 1) {
    const stored = await writeUntilKilled(path, { from: known, after: 'first list', waitMs: upTo(60) });
    expect(stored).toBeGreaterThan(known);
    known = versionIn(path);
    expect(known).toBeGreaterThanOrEqual(stored);
  }
});
