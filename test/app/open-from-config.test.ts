import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type OpenOptions, openFromConfig } from '../../src/app/open-from-config.ts';
import { isBuilt } from '../search/embedding/model.ts';

function folderWith(config: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'toolcrib.json'), config);
  return folder;
}

function open(config: string, options: OpenOptions = {}) {
  const folder = folderWith(config);
  return openFromConfig({ configPath: join(folder, 'toolcrib.json'), catalogPath: join(folder, 'c.db'), ...options });
}

/** Processes of this one that run a file named `worker.js`. */
function workers(): number {
  const list = execFileSync('ps', ['-o', 'stat=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return list.split('\n').filter((line) => /embedding.worker\.js/.test(line) && !line.startsWith('Z')).length;
}

it.skipIf(!isBuilt)('starts the model ahead of its first use, and ends it with the rest', async () => {
  const { crib } = await open('{}', { needsModel: true });
  expect(workers()).toBe(1);
  crib.ingest('s', [{ name: 'create_issue', inputSchema: { type: 'object' } }]);
  await crib.settled();
  expect((await crib.search('open a bug report', { arm: 'embedding' })).hits).toHaveLength(1);
  expect(workers()).toBe(1);
  await crib.close();
  expect(workers()).toBe(0);
});

it('starts none where it is not needed', async () => {
  const { crib } = await open('{}');
  expect(workers()).toBe(0);
  await crib.close();
});

it.skipIf(!isBuilt).each([
  ['a config without embedding', '{ "embedding": "none" }', 'open'],
  ['a config with errors', '{ "mode": 3 }', 'config_invalid'],
])('leaves no process behind for %s', async (_what, config, expected) => {
  const outcome = await open(config, { needsModel: true }).then(
    async ({ crib }) => {
      await crib.close();
      return 'open';
    },
    (error: unknown) => (error as { code: string }).code,
  );
  expect(outcome).toBe(expected);
  await expect.poll(workers).toBe(0);
});
