import { describe, expect, it } from 'vitest';
import type { UserPlaces } from '../../src/config/index.ts';
import { hostFileAt, hostFiles, listPaths, userFile } from '../../src/setup/hosts.ts';

const base: Omit<UserPlaces, 'platform' | 'home'> = {
  env: {},
  currentFolder: '/srv/app',
  configFolder: '',
  dataFolder: '',
};
const linux: UserPlaces = { ...base, platform: 'linux', home: '/home/ann' };
const mac: UserPlaces = { ...base, platform: 'darwin', home: '/Users/ann' };
const windows: UserPlaces = {
  ...base,
  platform: 'win32',
  home: 'C:\\Users\\ann',
  env: { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' },
};

describe('userFile', () => {
  it.each([
    ['claude-code', linux, '/home/ann/.claude.json'],
    ['claude-code', { ...linux, env: { CLAUDE_CONFIG_DIR: '/etc/claude' } }, '/etc/claude/.claude.json'],
    ['claude-desktop', linux, '/home/ann/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', { ...linux, env: { XDG_CONFIG_HOME: '/x' } }, '/x/Claude/claude_desktop_config.json'],
    ['claude-desktop', mac, '/Users/ann/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', windows, 'C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['cursor', windows, 'C:\\Users\\ann\\.cursor\\mcp.json'],
    ['vscode', mac, '/Users/ann/Library/Application Support/Code/User/mcp.json'],
    ['vscode', linux, '/home/ann/.config/Code/User/mcp.json'],
  ] as const)('%s', (host, places, path) => {
    expect(userFile(host, places).path).toBe(path);
  });
});

describe('hostFiles', () => {
  it('looks in the current folder first', () => {
    expect(hostFiles(linux).map(({ path }) => path)).toEqual([
      '/srv/app/.mcp.json',
      '/srv/app/.cursor/mcp.json',
      '/srv/app/.vscode/mcp.json',
      '/home/ann/.claude.json',
      '/home/ann/.config/Claude/claude_desktop_config.json',
      '/home/ann/.cursor/mcp.json',
      '/home/ann/.config/Code/User/mcp.json',
    ]);
  });
});

describe('hostFileAt', () => {
  it.each([
    ['/other/.mcp.json', { host: 'claude-code', projectFolder: '/other' }],
    ['/other/.cursor/mcp.json', { host: 'cursor', projectFolder: '/other' }],
    ['/other/.vscode/mcp.json', { host: 'vscode', projectFolder: '/other' }],
    ['/home/ann/.cursor/mcp.json', { host: 'cursor' }],
    ['/other/claude_desktop_config.json', { host: 'claude-desktop' }],
    ['/other/servers.json', {}],
    ['/other/mcp.json', {}],
  ])('knows whose %s is', (path, known) => {
    expect(hostFileAt(path, linux)).toEqual({ path, ...known });
  });
});

it('knows the list that Claude Code keeps for the current folder', () => {
  expect(listPaths(userFile('claude-code', linux), linux)).toEqual([
    ['mcpServers'],
    ['projects', '/srv/app', 'mcpServers'],
  ]);
});
