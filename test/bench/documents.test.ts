import { expect, it } from 'vitest';
import { toolDocuments, toolText } from '../../bench/arms/documents.ts';
import { splitWordsOf, withoutStopWords, wordsOf } from '../../bench/arms/words.ts';
import { toolSetOf } from '../../bench/data/load-tools.ts';

it('the parameters column holds names, descriptions and text enums, nested ones included', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      owner: { type: 'string', description: 'who' },
      labels: { type: 'array', items: { type: 'string', enum: ['bug', 'task', 3] } },
      at: { type: 'object', properties: { line: { type: 'integer', description: 'row' } } },
    },
  };
  expect(toolText('s', { name: 'n', title: 'T', description: 'd', inputSchema })).toEqual({
    name: 'n',
    description: 'T d',
    parameters: 'owner who labels bug task at line row',
    server: 's',
  });
});

it('broken definitions have a document all the same', () => {
  const loop: Record<string, unknown> = { type: 'object' };
  loop.properties = { again: loop };
  expect(toolText('s', { name: 'n', inputSchema: loop }).parameters).toMatch(/^again again/);
  expect(toolText('s', { name: 7, description: null, inputSchema: 'none' })).toEqual({
    name: '7',
    description: '',
    parameters: '',
    server: 's',
  });
});

it('of two tools with one name on one server the first is indexed', () => {
  const rows = [
    { id: 'a', server: 's', name: 'n', description: 'first' },
    { id: 'b', server: 's', name: 'n', description: 'second' },
  ];
  expect(toolDocuments(toolSetOf(rows)).map(({ label, description }) => [label, description])).toEqual([
    ['a', 'first'],
  ]);
});

it('words', () => {
  expect(wordsOf('Größe: get_user(42)')).toEqual(['größe', 'get', 'user', '42']);
  expect(splitWordsOf('createPullRequest getHTTPUrl v2')).toEqual([
    'create',
    'pull',
    'request',
    'get',
    'http',
    'url',
    'v',
    '2',
  ]);
  expect(withoutStopWords(['please', 'the', 'weather'])).toEqual(['weather']);
  expect(withoutStopWords(['the'])).toEqual(['the']);
});
