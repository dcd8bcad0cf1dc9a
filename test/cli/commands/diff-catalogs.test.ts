import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../../src/catalog/index.ts';
import { temporaryFolder, wordAnalyzer } from '../../catalog/harness.ts';
import { run } from '../test-io.ts';

function files() {
  const folder = temporaryFolder();
  const [catalog, exported] = [join(folder, 'a.sqlite'), join(folder, 'b.json')];
  openCatalog({ path: catalog, analyzer: wordAnalyzer }).close();
  writeFileSync(exported, '{"tools":[]}');
  return { folder, catalog, exported };
}

describe('toolcrib diff --catalogs', () => {
  it('compares a catalog, read by the config named, with an export', async () => {
    const { catalog, exported } = files();
    const { exitCode, stdout, opened, calls } = await run(
      ['diff', '--catalogs', catalog, exported, '--config', 'c.json'],
      { isTTY: true },
    );
    expect(exitCode).toBe(0);
    expect(opened).toEqual([{ configPath: 'c.json', catalogPath: catalog }]);
    expect(calls.at(-1)).toBe('close');
    expect(stdout).toContain('+ {"mode":"direct",');
    expect(stdout).toContain(['- {"tools":[]}', ''].join('\n'));
    expect(stdout).toContain(
      [
        '~ a__b',
        '  ~ /title',
        '      - "A"',
        '      + "B\\u{202E}"',
        '1 tool added, 1 removed, 1 changed; 1,000 tokens before, 900 after',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON, and opens nothing for two exports', async () => {
    const { exported } = files();
    const { stdout, opened } = await run(['diff', '--catalogs', exported, exported, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ tokens: { before: 1_000, after: 900 } });
    expect(opened).toEqual([]);
  });

  it.each([
    ['one file', ({ exported }) => ['--catalogs', exported]],
    ['three files', ({ exported }) => ['--catalogs', exported, exported, exported]],
    ['a tool beside them', ({ exported }) => ['github__a', '--catalogs', exported, exported]],
    ['neither', () => []],
    ['a file that is not there', ({ folder, exported }) => ['--catalogs', join(folder, 'none'), exported]],
    ['a folder', ({ folder, exported }) => ['--catalogs', folder, exported]],
  ] as [string, (at: ReturnType<typeof files>) => string[]][])('refuses %s', async (_, args) => {
    expect((await run(['diff', ...args(files())])).exitCode).toBe(2);
  });

  it('refuses what is neither a catalog nor JSON', async () => {
    const { folder, exported } = files();
    writeFileSync(join(folder, 'x'), 'SQLite');
    const { exitCode, stderr } = await run(['diff', '--catalogs', join(folder, 'x'), exported]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('is neither a catalog nor JSON');
  });
});
