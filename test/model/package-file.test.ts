import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { builtFile, packageFile } from '../../src/model/index.ts';
import { temporaryFolder } from '../config/temporary-folder.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

it('finds the files of the package from its sources', () => {
  expect(packageFile('package.json')).toBe(resolve('package.json'));
  expect(packageFile('index-data/models')).toBe(resolve('index-data/models'));
});

it.each([
  'app/token-worker',
  'search/embedding/worker',
  'upstream/watchdog',
  'demo/notes-server',
  'demo/tasks-server',
  'demo/units-server',
])('%s is built to be started by itself', (entry) => {
  expect(existsSync(builtFile(entry))).toBe(true);
});

it('every door of the package leads to a built file and its declarations', () => {
  const doors = Object.values(manifest.exports as Record<string, string | Record<string, string>>);
  const paths = doors.flatMap((door) => (typeof door === 'string' ? [door] : Object.values(door)));
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it('finds them from the bundle as well', async () => {
  const { createToolcrib } = await import(builtFile('index'));
  const crib = createToolcrib({ embedding: 'none', catalog: ':memory:' });
  crib.ingest('files', [{ name: 'read_file', inputSchema: { type: 'object' } }]);
  const { hits } = await crib.search('read a file');
  await crib.close();
  expect(hits[0]?.name).toBe('files__read_file');
});

it('takes no other package for its own, and says what to do', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'host', type: 'module' }));
  copyFileSync('src/model/package-file.ts', join(folder, 'bundle.ts'));
  await expect(import(join(folder, 'bundle.ts'))).rejects.toThrow('name "toolcrib" as external');
});
