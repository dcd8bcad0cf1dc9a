import { join } from 'node:path';
import { parseJsonc, type UserPlaces } from '../../config/index.ts';
import { isJsonObject, type JsonObject, type Stats } from '../../model/index.ts';
import { type HostConfig, readBytes } from '../host-config.ts';
import { profileOf } from '../hosts.ts';
import type { Check } from './check.ts';

/**
 * Some hosts put tools behind a search of their own. toolcrib's three meta-tools then have to be found before they can find
 * anything: one of the two searches should be off.
 */
export function checkDoubleSearch(
  { file }: HostConfig,
  entry: JsonObject,
  stats: Pick<Stats, 'mode' | 'tools'> | undefined,
  places: UserPlaces,
): Check[] {
  switch (file.host) {
    case 'claude-code':
      return [claudeCode(entry, stats, places)];
    case 'claude-desktop':
      return [claudeDesktop(stats)];
    case 'vscode':
      return [vscode(stats)];
    case 'cursor':
      return [cursor(stats)];
    default:
      return [];
  }
}

type Listed = Pick<Stats, 'mode' | 'tools'> | undefined;

/** Its tool search defers the tools of each server, unless the entry says `alwaysLoad` or the search is off. */
function claudeCode(entry: JsonObject, stats: Listed, places: UserPlaces): Check {
  const check = { area: 'hosts', subject: `tool search of ${profileOf('claude-code').title}` } as const;
  if (entry.alwaysLoad === true) {
    return { ...check, status: 'ok', message: 'does not defer toolcrib\'s tools: the entry says "alwaysLoad": true' };
  }
  const setting = toolSearchSetting(places);
  if (setting?.value === 'false') return { ...check, status: 'ok', message: `switched off in ${setting.where}` };
  if (stats?.mode === 'direct') {
    return { ...check, status: 'ok', message: 'the only search: toolcrib lists every tool (direct mode)' };
  }
  return {
    ...check,
    status: 'warning',
    message: "may defer toolcrib's meta-tools, so that the model has to search for the search",
    fix: 'Keep toolcrib\'s: `toolcrib install claude-code` writes "alwaysLoad": true into its entry (from Claude Code 2.1.121 on), or "env": {"ENABLE_TOOL_SEARCH": "false"} in ~/.claude/settings.json switches Claude Code\'s off. Or keep Claude Code\'s: "mode": "direct" in the config of toolcrib.',
  };
}

/** Where Claude Code takes variables from, the strongest first. */
function toolSearchSetting({ env, home, currentFolder }: UserPlaces): { value: string; where: string } | undefined {
  const files = [
    join(currentFolder, '.claude', 'settings.local.json'),
    join(currentFolder, '.claude', 'settings.json'),
    join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'),
  ];
  const inFile = files.flatMap((path) => {
    const value = settingIn(path);
    return value === undefined ? [] : [{ value, where: path }];
  });
  const inShell = env[variable];
  return inFile[0] ?? (inShell === undefined ? undefined : { value: inShell, where: 'the environment' });
}

function settingIn(path: string): string | undefined {
  const text = readBytes(path)?.toString('utf8');
  const root = text === undefined ? undefined : parseJsonc(path, text).source.value;
  const env = isJsonObject(root) ? root.env : undefined;
  const value = isJsonObject(env) ? env[variable] : undefined;
  return value === undefined ? undefined : String(value);
}

const variable = 'ENABLE_TOOL_SEARCH';

function claudeDesktop(stats: Listed): Check {
  const check = { area: 'hosts', subject: `tool access of ${profileOf('claude-desktop').title}` } as const;
  if (stats?.mode === 'direct') {
    return {
      ...check,
      status: 'ok',
      message: 'toolcrib lists every tool (direct mode); whether they are deferred is up to the app',
    };
  }
  return {
    ...check,
    status: 'ok',
    message:
      'if it is set to load tools when needed, the model has to search for toolcrib\'s search: set it to "Tools already loaded", or "mode": "direct" in the config of toolcrib',
  };
}

/** The number of tools from which VS Code groups them, unless `github.copilot.chat.virtualTools.threshold` says another. */
const groupedFrom = 128;

function vscode(stats: Listed): Check {
  const check = { area: 'hosts', subject: `tool groups of ${profileOf('vscode').title}` } as const;
  if (stats?.mode !== 'direct' || stats.tools < groupedFrom) {
    return {
      ...check,
      status: 'ok',
      message: `not in the way: fewer tools than the ${groupedFrom} from which it groups them`,
    };
  }
  return {
    ...check,
    status: 'warning',
    message: `groups and searches tools from ${groupedFrom} on, and toolcrib lists ${stats.tools} (direct mode)`,
    fix: 'Keep toolcrib\'s search: "mode": "discovery" in its config. Or keep that of VS Code, as it is now.',
  };
}

function cursor(stats: Listed): Check {
  const check = { area: 'hosts', subject: `tool look-up of ${profileOf('cursor').title}` } as const;
  const message =
    stats?.mode === 'direct'
      ? 'looks tools up by itself where they are many; toolcrib lists every tool (direct mode)'
      : 'newer versions look definitions up when needed; three meta-tools cost it one look-up in a conversation';
  return { ...check, status: 'ok', message };
}
