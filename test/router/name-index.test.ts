import { describe, expect, it } from 'vitest';
import type { ToolName, ToolStatus } from '../../src/model/index.ts';
import { NameIndex } from '../../src/router/name-index.ts';

let key = 0;
const named = (serverId: string, toolName: string, status: ToolStatus = 'ok'): ToolName => {
  key += 1;
  return { key, serverId, toolName, exposedName: `${serverId}__${toolName}`, status };
};
const names = [
  named('github', 'create_issue'),
  named('gitlab', 'create_issue'),
  named('github', 'getFile'),
  named('files', 'get_file', 'set_aside'),
  named('drive', 'Search'),
  named('brave', 'search'),
  named('mcp', 'toolcrib__own'),
  named('github', 'own'),
  named('broken', 'lonely', 'set_aside'),
];
const index = new NameIndex({ names: () => names });
const find = (name: string) => {
  const lookup = index.find(name);
  if (lookup.kind === 'found') return lookup.name.exposedName;
  const others = lookup.kind === 'ambiguous' ? lookup.names : lookup.nearest;
  return [lookup.kind, ...others.map(({ exposedName }) => exposedName)];
};

describe('NameIndex', () => {
  it.each<[string, string, string | string[]]>([
    ['the exposed name', 'github__create_issue', 'github__create_issue'],
    ['spaces around', ' github__create_issue\n', 'github__create_issue'],
    ['a bare name that is unique', 'getFile', 'github__getFile'],
    ['another case or separator', 'GitHub__Create-Issue', 'github__create_issue'],
    ['another way to name the server', 'gitlab/create_issue', 'gitlab__create_issue'],
    ['exact case before any case', 'search', 'brave__search'],
    ['a callable tool before one set aside', 'get-file', 'github__getFile'],
    ['a tool set aside, when it is the only one', 'lonely', 'broken__lonely'],
    ['an ambiguous name', 'create_issue', ['ambiguous', 'github__create_issue', 'gitlab__create_issue']],
    ['an ambiguous name in any case', 'SEARCH', ['ambiguous', 'drive__Search', 'brave__search']],
    ['a typing error', 'github__creat_isue', ['unknown', 'github__create_issue', 'gitlab__create_issue']],
    ["a host's prefix", 'mcp__toolcrib__github__create_issue', 'github__create_issue'],
    ["a host's prefix with single separators", 'mcp_toolcrib_github__create_issue', 'github__create_issue'],
    ["a host's prefix before a bare name", 'mcp__toolcrib__getFile', 'github__getFile'],
    [
      "a host's prefix for a server named as the user likes",
      'mcp__my_tools__github__create_issue',
      'github__create_issue',
    ],
    ["a host's prefix for no server", 'mcp__github__create_issue', 'github__create_issue'],
    ['the name of toolcrib alone', 'toolcrib__github__create_issue', 'github__create_issue'],
    ['a tool that starts like a prefix as it is', 'mcp__toolcrib__own', 'mcp__toolcrib__own'],
    ['no bare name behind the prefix of another server', 'mcp__other__getFile', ['unknown']],
    [
      'a typing error behind a prefix',
      'mcp__toolcrib__github__creat_isue',
      ['unknown', 'github__create_issue', 'gitlab__create_issue'],
    ],
    ['nothing like it', 'deploy_to_the_moon', ['unknown']],
    ['an endless name', 'x'.repeat(10_000), ['unknown']],
    ['no name', '', ['unknown']],
  ])('finds %s', (_, name, expected) => {
    expect(find(name)).toEqual(expected);
  });

  it('follows the catalog', () => {
    let current: ToolName[] = [];
    const live = new NameIndex({ names: () => current });
    expect(live.find('late').kind).toBe('unknown');
    current = [named('srv', 'late')];
    expect(live.find('late').kind).toBe('found');
  });
});
