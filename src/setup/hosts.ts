import { posix, win32 } from 'node:path';
import type { JsonPath, UserPlaces } from '../config/index.ts';

/** The hosts whose config files are known. */
export const hostIds = ['claude-code', 'claude-desktop', 'cursor', 'vscode'] as const;
export type HostId = (typeof hostIds)[number];

/** What a host's config file looks like, and what its entry for toolcrib needs. */
export interface HostProfile {
  id: HostId;
  title: string;
  /** The key of the list of servers. */
  listKey: 'mcpServers' | 'servers';
  /** Keys that the entry has besides `command` and `args`. */
  entryExtras: Record<string, unknown>;
  /** True when the host puts a prefix such as `mcp__toolcrib__` before each name, which models count as part of it. */
  prefixesNames: boolean;
}

/** One place where a host reads servers from. */
export interface HostFile {
  /** Absolute. */
  path: string;
  /** Absent for a file that is no host's own. */
  host?: HostId;
  /** The folder that relative paths and `${workspaceFolder}` of its servers are taken from; absent for files of a user. */
  projectFolder?: string;
}

const profiles: Record<HostId, HostProfile> = {
  'claude-code': {
    id: 'claude-code',
    title: 'Claude Code',
    listKey: 'mcpServers',
    // Its own tool search would hide the three meta-tools behind another search.
    entryExtras: { type: 'stdio', alwaysLoad: true },
    prefixesNames: true,
  },
  'claude-desktop': {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    listKey: 'mcpServers',
    entryExtras: {},
    prefixesNames: false,
  },
  cursor: { id: 'cursor', title: 'Cursor', listKey: 'mcpServers', entryExtras: {}, prefixesNames: true },
  vscode: {
    id: 'vscode',
    title: 'VS Code',
    listKey: 'servers',
    entryExtras: { type: 'stdio' },
    prefixesNames: true,
  },
};

export function profileOf(host: HostId): HostProfile {
  return profiles[host];
}

/** Where this host keeps the servers of the user. */
export function userFile(host: HostId, places: UserPlaces): HostFile {
  const { join } = pathsOf(places);
  const { home, env } = places;
  switch (host) {
    case 'claude-code':
      return { host, path: join(env.CLAUDE_CONFIG_DIR || home, '.claude.json') };
    case 'claude-desktop':
      return { host, path: join(appFolder(places), 'Claude', 'claude_desktop_config.json') };
    case 'cursor':
      return { host, path: join(home, '.cursor', 'mcp.json') };
    case 'vscode':
      return { host, path: join(appFolder(places), 'Code', 'User', 'mcp.json') };
  }
}

/** Where this host keeps the servers of the project in a folder; undefined for hosts that know no projects. */
export function projectFile(host: HostId, folder: string, places: UserPlaces): HostFile | undefined {
  const parts = projectPaths[host];
  return parts && { host, path: pathsOf(places).join(folder, ...parts), projectFolder: folder };
}

/** Every file in which a host may look on this machine, those of the current folder first. */
export function hostFiles(places: UserPlaces): HostFile[] {
  const ofProject = hostIds.flatMap((host) => projectFile(host, places.currentFolder, places) ?? []);
  return [...ofProject, ...hostIds.map((host) => userFile(host, places))];
}

/** What is known of a file from its path: whose it is, and the project that it belongs to. */
export function hostFileAt(path: string, places: UserPlaces): HostFile {
  const { dirname, basename } = pathsOf(places);
  const known = hostFiles(places).find((file) => file.path === path);
  if (known !== undefined) return known;
  const folder = dirname(path);
  if (basename(path) === '.mcp.json') return { path, host: 'claude-code', projectFolder: folder };
  if (basename(path) === 'claude_desktop_config.json') return { path, host: 'claude-desktop' };
  if (basename(path) !== 'mcp.json') return { path };
  if (basename(folder) === '.cursor') return { path, host: 'cursor', projectFolder: dirname(folder) };
  if (basename(folder) === '.vscode') return { path, host: 'vscode', projectFolder: dirname(folder) };
  return { path };
}

/** The lists of servers that a file may hold. Claude Code keeps those of a folder in the user's file as well. */
export function listPaths({ host }: HostFile, places: UserPlaces): JsonPath[] {
  const top: JsonPath[] = host === undefined ? [['mcpServers'], ['servers']] : [[profiles[host].listKey]];
  return host === 'claude-code' ? [...top, ['projects', places.currentFolder, 'mcpServers']] : top;
}

const projectPaths: Partial<Record<HostId, string[]>> = {
  'claude-code': ['.mcp.json'],
  cursor: ['.cursor', 'mcp.json'],
  vscode: ['.vscode', 'mcp.json'],
};

function appFolder(places: UserPlaces): string {
  const { join } = pathsOf(places);
  const { platform, home, env } = places;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}

function pathsOf({ platform }: UserPlaces): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
