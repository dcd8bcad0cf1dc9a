import { describe, expect, it } from 'vitest';
import { vocabulary } from '../../../src/search/query/vocabulary.ts';

describe('vocabulary', () => {
  it('knows what a verb does', () => {
    expect(vocabulary().verbClasses('creat')[0]).toBe('create');
    expect(vocabulary().polarityOf('delete')).toBe('delete');
    expect(vocabulary().polarityOf('search')).toBe('read');
    expect(vocabulary().verbClasses('tabl')).toEqual([]);
    expect(vocabulary().isVerb('translate')).toBe(true);
    expect(vocabulary().isVerb('banana')).toBe(false);
  });

  it('gives the words that tools use, for inflected forms as well', () => {
    expect(vocabulary().synonymsOf('sticker')).toContain('label');
    expect(vocabulary().synonymsOf('stickers')).toEqual(vocabulary().synonymsOf('sticker'));
    expect(vocabulary().synonymsOf('zzz')).toEqual([]);
  });

  it('does not take words for each other that only share a stem', () => {
    expect(vocabulary().synonymsOf('news')).not.toEqual(vocabulary().synonymsOf('new'));
  });

  it('finds phrases anywhere, whole words only', () => {
    expect(vocabulary().phraseTerms('please get rid of it')).toContain('delet');
    expect(vocabulary().phraseTerms('forget rid of it')).toEqual([]);
    expect(vocabulary().phraseTerms('')).toEqual([]);
  });
});
