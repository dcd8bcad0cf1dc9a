import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostIds } from '../../../src/setup/hosts.ts';
import { put, temporaryPlaces } from '../../setup/places.ts';
import { run } from '../test-io.ts';

const servers = {
  files: { command: 'files-server', args: ['--token', 'secret-1'], env: { KEY: 'secret-2' } },
  notes: { command: 'notes\u202e-server' },
};

function userWithProject(mcpServers: object = servers) {
  const places = temporaryPlaces();
  const path = put(join(places.currentFolder, '.mcp.json'), { mcpServers });
  return { places, path, configPath: join(places.configFolder, 'toolcrib.json') };
}

const idsIn = (path: string) =>
  Object.keys(JSON.parse(readFileSync(path, 'utf8').replace(/^ *\/\/.*$/gm, '')).mcpServers);

describe('toolcrib import', () => {
  it('shows every command without its secrets, and adopts nothing without a yes', async () => {
    const { places, configPath } = userWithProject();
    const { exitCode, stderr } = await run(['import', '.mcp.json'], { places });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('+ files: files-server --token [redacted]');
    expect(stderr).toContain('sets KEY');
    expect(stderr).toContain('notes\\u{202E}-server');
    expect(stderr).toContain('terminal_required');
    expect(stderr).not.toMatch(/secret-\d/);
    expect(existsSync(configPath)).toBe(false);
  });

  it('adopts all with --yes, and can be taken back', async () => {
    const { places, configPath } = userWithProject();
    const { exitCode, stdout } = await run(['import', '.mcp.json', '--yes'], { places });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${configPath}: 2 servers imported.`);
    expect(idsIn(configPath)).toEqual(['files', 'notes']);
    expect((await run(['import', '--restore'], { places })).exitCode).toBe(0);
    expect(existsSync(configPath)).toBe(false);
    expect(await run(['import', '--restore'], { places })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('nothing_to_restore'),
    });
  });

  it.each([
    [['n', 'y'], ['notes'], 0],
    [['a'], ['files', 'notes'], 0],
    [['y', 'q'], undefined, 1],
    [['', ''], undefined, 1],
  ])('asks for each server: %j', async (typed, ids, exitCode) => {
    const { places, configPath } = userWithProject();
    expect((await run(['import'], { places, typed: [...typed] })).exitCode).toBe(exitCode);
    expect(existsSync(configPath) ? idsIn(configPath) : undefined).toEqual(ids);
  });

  it('keeps a server whose id is taken, unless told to replace it', async () => {
    const { places, configPath } = userWithProject();
    put(configPath, { mcpServers: { files: { command: 'mine' } } });
    const kept = await run(['import', '--yes', '--json'], { places });
    expect(JSON.parse(kept.stdout).servers).toMatchObject([
      { id: 'files', status: 'taken', imported: false },
      { id: 'notes', status: 'new', imported: true },
    ]);
    await run(['import', '--yes', '--replace'], { places });
    expect(readFileSync(configPath, 'utf8')).toContain('files-server');
  });

  it('says when there is nothing to import', async () => {
    const { places } = userWithProject({});
    expect((await run(['import'], { places })).exitCode).toBe(3);
    expect((await run(['import', 'none.json'], { places })).stderr).toContain('host_file_unusable');
  });
});

describe('toolcrib install', () => {
  it('says what it replaced and how to take it back; uninstall does', async () => {
    const { places, path, configPath } = userWithProject();
    const before = readFileSync(path, 'utf8');
    await run(['import', '--yes'], { places });
    const installed = await run(['install', 'claude-code'], { places });
    expect(installed.exitCode).toBe(0);
    expect(installed.stdout).toContain(`${path} now starts toolcrib with ${configPath} in place of files, notes.`);
    expect(installed.stdout).toContain('toolcrib uninstall claude-code');
    expect(idsIn(path)).toEqual(['toolcrib']);
    expect((await run(['uninstall', 'claude-code'], { places })).exitCode).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('knows --restore, and files by name', async () => {
    const { places, configPath } = userWithProject();
    put(configPath, { mcpServers: {} });
    const path = put(join(places.home, 'other.json'), '{}\n');
    expect((await run(['install', 'cursor', '--file', path], { places })).stdout).toContain(
      `uninstall cursor --file ${path}`,
    );
    const { stdout } = await run(['install', 'cursor', '--file', path, '--json'], { places });
    expect(JSON.parse(stdout)).toMatchObject({ host: 'cursor', path, replaced: [], config: configPath });
    await run(['install', 'cursor', '--file', path, '--restore'], { places });
    expect(readFileSync(path, 'utf8')).toBe('{}\n');
  });

  it('says how to go on where the file was changed since', async () => {
    const { places, path } = userWithProject();
    await run(['import', '--yes'], { places });
    await run(['install', 'claude-code'], { places });
    writeFileSync(path, readFileSync(path, 'utf8').replace('{', '{"theirs": 1,'));
    const refused = await run(['uninstall', 'claude-code'], { places });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--keep-changes');
    expect((await run(['uninstall', 'claude-code', '--keep-changes'], { places })).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ theirs: 1, mcpServers: servers });
  });

  it('loses no server', async () => {
    const { places, configPath } = userWithProject();
    put(configPath, { mcpServers: {} });
    const { exitCode, stderr } = await run(['install', 'claude-code'], { places });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('files, notes');
  });

  it('shows what is unseen in the ids that it replaces', async () => {
    const { places } = userWithProject({ 'notes\u001b[2J': { command: 'notes-server' } });
    await run(['import', '--yes'], { places });
    expect((await run(['install', 'claude-code'], { places })).stdout).toContain('in place of notes\\u{1B}[2J.');
  });

  it('names the hosts that it knows', async () => {
    const { exitCode, stderr } = await run(['install', 'emacs'], { places: temporaryPlaces() });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(hostIds.join(', '));
  });
});

describe('toolcrib init', () => {
  it('writes a commented config once, and shows what can be imported', async () => {
    const { places, path, configPath } = userWithProject();
    const { stdout } = await run(['init'], { places });
    expect(stdout).toContain(`${configPath} was written.`);
    expect(stdout).toContain(`Claude Code has files, notes: toolcrib import ${path}`);
    expect(readFileSync(configPath, 'utf8')).toMatch(/^\/\/ /);
    const again = await run(['init', '--json'], { places });
    expect(JSON.parse(again.stdout)).toMatchObject({ config: configPath, created: false, hosts: [{ path }] });
  });
});
