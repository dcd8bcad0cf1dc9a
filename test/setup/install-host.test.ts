import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJsonc } from '../../src/config/parse-jsonc.ts';
import {
  applyImport,
  installFile,
  installHost,
  planImport,
  readHostConfig,
  restoreFile,
  uninstallHost,
} from '../../src/setup/index.ts';
import { put, temporaryPlaces } from './places.ts';

const program = { command: '/usr/bin/node', args: ['/opt/toolcrib/dist/bin.js'] };
const projectText = '{\n  // mine\n  "mcpServers": { "files": { "command": "files" } },\n  "other": [1]\n}\n';

function setUp(text = projectText) {
  const places = temporaryPlaces();
  const path = put(join(places.currentFolder, '.mcp.json'), text);
  const configPath = join(places.configFolder, 'toolcrib.json');
  const file = installFile('claude-code', undefined, places);
  const importAll = () => {
    const plan = planImport([readHostConfig(file, places) as never], configPath, places);
    return applyImport(plan, plan.candidates, places);
  };
  const install = () => installHost({ file, configPath, program }, places);
  return { places, path, configPath, file, importAll, install };
}

const valueAt = (path: string) => parseJsonc(path, readFileSync(path, 'utf8')).source.value as Record<string, unknown>;

describe('installHost', () => {
  it('puts one entry in place of the servers, and nothing else', () => {
    const { path, configPath, importAll, install } = setUp();
    importAll();
    expect(install()).toMatchObject({ path, replaced: ['files'], config: configPath, nameMaxLength: 49 });
    expect(readFileSync(path, 'utf8')).toContain('// mine');
    expect(valueAt(path)).toEqual({
      mcpServers: {
        toolcrib: {
          type: 'stdio',
          alwaysLoad: true,
          command: '/usr/bin/node',
          args: ['/opt/toolcrib/dist/bin.js', 'serve', '--config', configPath],
        },
      },
      other: [1],
    });
    expect(valueAt(configPath)).toMatchObject({ nameMaxLength: 49, mcpServers: { files: { command: 'files' } } });
  });

  it('is taken back byte for byte, also after a second time', () => {
    const { places, path, file, importAll, install } = setUp();
    importAll();
    install();
    expect(install().replaced).toEqual(['files']);
    uninstallHost(file, false, places);
    expect(readFileSync(path, 'utf8')).toBe(projectText);
  });

  it('removes a file that it made', () => {
    const { places, configPath } = setUp();
    put(configPath, '{"mcpServers": {}}');
    const file = installFile('cursor', undefined, places);
    installHost({ file, configPath, program }, places);
    expect(valueAt(file.path)).toEqual({
      mcpServers: { toolcrib: { command: program.command, args: [...program.args, 'serve', '--config', configPath] } },
    });
    uninstallHost(file, false, places);
    expect(existsSync(file.path)).toBe(false);
  });

  it('loses no server that was not imported, unless told', () => {
    const { places, path, configPath, file, install } = setUp();
    put(configPath, '{"mcpServers": {"else": {"command": "x"}}}');
    expect(install).toThrow(expect.objectContaining({ code: 'servers_not_imported' }));
    expect(readFileSync(path, 'utf8')).toBe(projectText);
    expect(installHost({ file, configPath, program, mayDrop: true }, places).replaced).toEqual(['files']);
  });

  it('needs a config, which is not the file of the host', () => {
    const { places, path, file, configPath } = setUp('{}');
    expect(() => installHost({ file, configPath, program }, places)).toThrow(
      expect.objectContaining({ code: 'config_not_found' }),
    );
    expect(() => installHost({ file, configPath: path, program }, places)).toThrow(
      expect.objectContaining({ code: 'usage_invalid' }),
    );
  });

  it('refuses to take back a file that was changed since, and can put back the servers alone', () => {
    const { places, path, file, importAll, install } = setUp();
    importAll();
    install();
    const edited = readFileSync(path, 'utf8')
      .replace('[1]', '[2]')
      .replace('"toolcrib":', '"new": {"command": "n"}, "toolcrib":');
    writeFileSync(path, edited);
    expect(() => uninstallHost(file, false, places)).toThrow(expect.objectContaining({ code: 'file_changed' }));
    expect(install).toThrow(expect.objectContaining({ code: 'file_changed' }));
    expect(readFileSync(path, 'utf8')).toBe(edited);
    uninstallHost(file, true, places);
    expect(valueAt(path)).toEqual({ mcpServers: { files: { command: 'files' }, new: { command: 'n' } }, other: [2] });
    expect(readFileSync(path, 'utf8')).toContain('// mine');
  });

  it('lets an import be taken back after it', () => {
    const { places, configPath, importAll, install } = setUp();
    importAll();
    install();
    restoreFile(configPath, places);
    expect(existsSync(configPath)).toBe(false);
  });

  it('hands over what VS Code asks its user for', () => {
    const { places, configPath } = setUp();
    const inputs = [
      { type: 'promptString', id: 'api-key', password: true },
      { type: 'promptString', id: 'unused' },
    ];
    put(join(places.currentFolder, '.vscode', 'mcp.json'), {
      inputs,
      servers: { a: { command: 'a', env: { K: `\${input:api-key}` } } },
    });
    const file = installFile('vscode', undefined, places);
    const plan = planImport([readHostConfig(file, places) as never], configPath, places);
    applyImport(plan, plan.candidates, places);
    installHost({ file, configPath, program }, places);
    expect(valueAt(file.path)).toEqual({
      inputs,
      servers: {
        toolcrib: {
          type: 'stdio',
          command: program.command,
          args: [...program.args, 'serve', '--config', configPath],
          env: { API_KEY: `\${input:api-key}` },
        },
      },
    });
  });

  it('leaves what Claude Code keeps for single folders', () => {
    const { places, configPath } = setUp();
    put(configPath, '{"mcpServers": {"a": {"command": "a"}}}');
    const projects = { [places.currentFolder]: { mcpServers: { local: { command: 'l' } } } };
    const path = put(join(places.home, '.claude.json'), { mcpServers: { a: { command: 'a' } }, projects });
    const file = installFile('claude-code', path, places);
    expect(installHost({ file, configPath, program }, places).replaced).toEqual(['a']);
    expect(valueAt(path)).toMatchObject({ projects });
  });
});
