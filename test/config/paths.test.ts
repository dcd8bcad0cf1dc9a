import { symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  defaultCatalogPath,
  defaultConfigPath,
  defaultWorkspaceFolder,
  resolveCatalogPath,
} from '../../src/config/paths.ts';
import { temporaryFile, temporaryFolder } from './temporary-folder.ts';

describe('paths', () => {
  it('looks for the config in a directory of the user, never in the current one', () => {
    expect(basename(defaultConfigPath())).toBe('toolcrib.json');
    expect(dirname(defaultConfigPath())).not.toBe(process.cwd());
    expect(defaultConfigPath()).toContain(`${join('toolcrib', 'toolcrib.json')}`);
  });

  it('gives each config a catalog of its own, whatever name it is reached by', () => {
    const config = temporaryFile('a.json', '{}');
    const other = temporaryFile('a.json', '{}');
    const link = join(temporaryFolder(), 'link.json');
    symlinkSync(config, link);
    expect(basename(defaultCatalogPath(config))).toMatch(/^catalog-[0-9a-f]{16}\.sqlite$/);
    expect(defaultCatalogPath(link)).toBe(defaultCatalogPath(config));
    expect(defaultCatalogPath(other)).not.toBe(defaultCatalogPath(config));
  });

  it.each([
    ['c.sqlite', '/base/c.sqlite'],
    ['/abs/c.sqlite', '/abs/c.sqlite'],
    [':memory:', ':memory:'],
  ])('takes the catalog %s from the folder of the config', (catalog, expected) => {
    expect(resolveCatalogPath(catalog, '/base')).toBe(expected);
  });

  it.each([
    ['/p/.vscode/mcp.json', '/p'],
    ['/p/.cursor/mcp.json', '/p'],
    ['/p/.mcp.json', process.cwd()],
    [undefined, process.cwd()],
  ])('of %s the workspace folder is %s', (config, expected) => {
    expect(defaultWorkspaceFolder(config)).toBe(expected);
  });
});
