import { describe, expect, it } from 'vitest';
import { splitClauses } from '../../../src/search/query/clauses.ts';
import { queryTerms } from '../../../src/search/query/query-terms.ts';
import { readQuery } from '../../../src/search/query/read-query.ts';
import { readableShare } from '../../../src/search/query/readable-share.ts';

describe('queryTerms', () => {
  it.each([
    ['can you please create an issue for me?', ['creat', 'issu']],
    ['create create created', ['creat']],
    ['who are you', ['who', 'ar', 'you']],
    ['???', []],
  ])('%j', (query, terms) => {
    expect(queryTerms(query)).toEqual(terms);
  });

  it('bounds a pasted document', () => {
    const pasted = Array.from({ length: 500 }, (_, index) => `word${index}x`).join(' ');
    expect(queryTerms(pasted).length).toBeLessThanOrEqual(48);
  });
});

describe('splitClauses', () => {
  it.each([
    ['create an issue', []],
    ['create an issue and assign it to the reviewer', ['create an issue', 'assign it to the reviewer']],
    ['Fetch the weather report. Then mail the summary.', ['Fetch the weather report', 'mail the summary']],
    ['set title, body and labels', []],
    ['find research papers and news articles', []],
    ['list open invoices, then I want you to please send reminders', ['list open invoices', 'send reminders']],
    ['show the last build and who broke the tests', ['show the last build', 'who broke the tests']],
    ['After that. create an issue. Thanks!', []],
  ])('%j', (query, clauses) => {
    expect(splitClauses(query).map(({ text }) => text)).toEqual(clauses);
  });

  it('gives each clause its terms', () => {
    expect(splitClauses('create an issue and assign the reviewer').map(({ terms }) => terms)).toEqual([
      ['creat', 'issu'],
      ['assign', 'review'],
    ]);
  });

  it('keeps at most eight', () => {
    const query = Array.from({ length: 20 }, (_, index) => `open file ${'abcdefghijklmnopqrst'[index]}x`).join(', ');
    expect(splitClauses(query)).toHaveLength(8);
  });
});

describe('readableShare', () => {
  it.each([
    ['create an issue', 1],
    ['crée un fichier', 1],
    ['이슈 생성', 0],
    ['12 34', 1],
    ['создать issue', 5 / 12],
  ])('%j', (text, share) => {
    expect(readableShare(text)).toBeCloseTo(share);
  });
});

describe('readQuery', () => {
  it('reads English as it is', () => {
    expect(readQuery(' create an issue ')).toMatchObject({
      terms: ['creat', 'issu'],
      glossTerms: [],
      embeddedText: 'create an issue',
      clauses: [],
      phraseTerms: [],
      literals: [],
      readable: 1,
    });
  });

  it('finds the action, words that tools use, and kinds of values', () => {
    const read = readQuery('get rid of the sticker on https://example.org/a');
    expect(read.phraseTerms).toContain('delet');
    expect(read.synonyms.get('sticker')).toContain('label');
    expect(read.literals).toEqual(['url']);
    expect(read.embeddedText).toBe('get rid of the sticker on');
    expect(readQuery('remove the old branch').verbClasses[0]).toBe('delete');
  });

  it('gives a query in another language an English reading for both arms', () => {
    const read = readQuery('노션에서 페이지를 찾아줘');
    expect(read.embeddedText).toBe('notion page find');
    expect(read.glossTerms).toEqual(['notion', 'page', 'find']);
    expect(read.terms).toContain('노션');
    expect(read.readable).toBe(1);
  });

  it('takes the embedding out where neither the model nor the lexicon knows a word', () => {
    expect(readQuery('создать задачу').readable).toBe(0);
    expect(readQuery('ᏣᎳᎩ').readable).toBe(0);
  });
});
