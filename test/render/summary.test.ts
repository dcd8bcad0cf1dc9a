import { describe, expect, it } from 'vitest';
import { firstSentence } from '../../src/render/index.ts';

describe('firstSentence', () => {
  it.each([
    ['one sentence of several', 'Create an issue. Needs a token.', 'Create an issue.'],
    ['no cut in abbreviations', 'Read a file, e.g. Text or CSV. More.', 'Read a file, e.g. Text or CSV.'],
    ['no cut in versions', 'Uses API v1.2 of the service. More.', 'Uses API v1.2 of the service.'],
    ['Markdown', '## **Create** an `issue` in [GitHub](https://x.example)\n\nMore.', 'Create an issue in GitHub'],
    ['HTML and lists', '<p>Lists <b>files</b></p>\n- a\n- b', 'Lists files a b'],
    ['a heading with what follows', '# Purpose:\n\nDeletes a row. Careful.', 'Purpose: Deletes a row.'],
    ['Chinese', '创建一个图表。支持多种类型。', '创建一个图表。'],
    ['names with underscores', 'Runs my_tool_name now. X', 'Runs my_tool_name now.'],
    ['white space only', ' \n\t', ''],
  ])('takes %s', (_, text, expected) => {
    expect(firstSentence(text, 160)).toBe(expected);
  });

  it('cuts on a word and marks it', () => {
    expect(firstSentence(`${'word '.repeat(100)}.`, 40)).toBe('word word word word word word word word…');
  });

  it('reads a bounded part of an endless text', () => {
    expect(firstSentence('[(<*_`'.repeat(100_000), 50).length).toBeLessThanOrEqual(50);
  });
});
