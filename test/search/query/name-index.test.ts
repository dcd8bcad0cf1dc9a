import { describe, expect, it } from 'vitest';
import { exposedName, type ToolName } from '../../../src/model/index.ts';
import { NameIndex } from '../../../src/search/query/name-index.ts';

const names: ToolName[] = [
  ['github', 'create_issue'],
  ['linear', 'createIssue'],
  ['jira', 'Create-Issue'],
  ['github', 'search'],
  ['wiki', 'ページ作成'],
  ['x', '_'],
  ['y', '😀'],
].map(([serverId = '', toolName = ''], index) => ({
  key: index + 1,
  serverId,
  toolName,
  exposedName: exposedName({ serverId, toolName }),
  status: 'ok',
}));

/** Words that the catalog knows. */
const knownWords = new Set(['create', 'issue', 'search', 'an', 'new', 'the']);

function matches(query: string): Record<string, string> {
  const found = new NameIndex(names).find(query, (word) => knownWords.has(word));
  return Object.fromEntries([...found.values()].map(({ name, match }) => [`${name.serverId}/${name.toolName}`, match]));
}

describe('NameIndex', () => {
  it.each([
    [
      'create_issue',
      { 'github/create_issue': 'exactCase', 'linear/createIssue': 'anyStyle', 'jira/Create-Issue': 'anyStyle' },
    ],
    [
      'createIssue',
      { 'github/create_issue': 'anyStyle', 'linear/createIssue': 'exactCase', 'jira/Create-Issue': 'anyStyle' },
    ],
    [
      'Create Issue',
      { 'github/create_issue': 'anyStyle', 'linear/createIssue': 'anyStyle', 'jira/Create-Issue': 'anyStyle' },
    ],
    ['github__create_issue', { 'github/create_issue': 'exactCase' }],
    ['mcp__toolcrib__github__create_issue', { 'github/create_issue': 'exactCase' }],
    ['😀', { 'y/😀': 'exactCase' }],
    ['GitHub.createIssue', { 'github/create_issue': 'anyStyle' }],
    ['github create issue', { 'github/create_issue': 'anyStyle' }],
    ['please run github__create_issue for me', { 'github/create_issue': 'mention' }],
    [
      'use `Create-Issue`, then stop',
      { 'github/create_issue': 'mention', 'linear/createIssue': 'mention', 'jira/Create-Issue': 'mention' },
    ],
    ['search', { 'github/search': 'exactCase' }],
    ['search for files', {}],
    ['ページ作成', { 'wiki/ページ作成': 'exactCase' }],
    ['_', { 'x/_': 'exactCase' }],
    ['', {}],
    [
      'create_isue',
      { 'github/create_issue': 'oneEdit', 'linear/createIssue': 'oneEdit', 'jira/Create-Issue': 'oneEdit' },
    ],
    [
      'craete_issue',
      { 'github/create_issue': 'twoEdits', 'linear/createIssue': 'twoEdits', 'jira/Create-Issue': 'twoEdits' },
    ],
    [
      'create isue',
      { 'github/create_issue': 'oneEdit', 'linear/createIssue': 'oneEdit', 'jira/Create-Issue': 'oneEdit' },
    ],
    ['github__craete_issue', { 'github/create_issue': 'twoEdits' }],
    // Words that are all known are meant as they are.
    ['create an issue', {}],
    ['create the new isue for me, will you please', {}],
    ['seerch', { 'github/search': 'oneEdit' }],
    ['srech', {}],
  ])('%j', (query, expected) => {
    expect(matches(query)).toEqual(expected);
  });
});
