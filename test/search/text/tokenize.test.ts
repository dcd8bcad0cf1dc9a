import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize, wordsOf } from '../../../src/search/text/tokenize.ts';

describe('tokenize', () => {
  it.each([
    ['create_issue', ['creat', 'issu']],
    ['create-issue', ['creat', 'issu']],
    ['createIssue', ['creat', 'issu', 'createissu']],
    ['HTTPServer', ['http', 'server', 'httpserver']],
    ['getURLs', ['get', 'url', 'geturl']],
    ['GitHub', ['git', 'hub', 'github']],
    ['ms365', ['ms', '365', 'ms365']],
    ['listing files', ['list', 'file']],
    ['café Año ÖPNV', ['cafe', 'ano', 'opnv']],
    ['cafe\u0301', ['cafe']],
    ['ﬁle １２', ['file', '12']],
    ['создать задачу', ['создать', 'задачу']],
    ['イシュー作成', ['イシ', 'シュ', 'ュー', 'ー作', '作成']],
    ['이슈 생성', ['이슈', '생성']],
    ['把repo克隆', ['把', 'repo', '克隆']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['ไฟล์ที่ฉันสร้าง', ['ไฟล์', 'ที่', 'ฉัน', 'สร้าง']],
    ['👋 – !?', []],
    ['\ud800', []],
    ['', []],
  ])('%j', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens);
  });

  it('is total: any string becomes tokens of letters, marks and numbers, none longer than the limit', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        for (const token of tokenize(text)) {
          expect(token).toMatch(/^[\p{L}\p{M}\p{N}]+$/u);
          expect([...token].length).toBeLessThanOrEqual(64);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds a name however its words are joined', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 1, maxLength: 4 }), (words) => {
        const spoken = tokenize(words.join(' '));
        expect(tokenize(words.join('_'))).toEqual(spoken);
        const camel = words
          .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
          .join('');
        expect(tokenize(camel)).toEqual(expect.arrayContaining(spoken));
      }),
    );
  });

  it('gives the same tokens the second time, from its cache', () => {
    expect(tokenize('createPullRequest')).toEqual(tokenize('createPullRequest'));
  });

  it('keeps words as written where asked to', () => {
    expect(wordsOf('Listing createIssue')).toEqual(['listing', 'create', 'issue', 'createissue']);
  });
});
