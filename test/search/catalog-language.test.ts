import { describe, expect, it } from 'vitest';
import { catalogLanguage, scriptLanguage } from '../../src/search/catalog-language.ts';
import { filledCatalog, servers } from './fixture.ts';

describe('catalogLanguage', () => {
  it('is that of most descriptions', () => {
    expect(catalogLanguage(filledCatalog())).toBe('English');
    expect(catalogLanguage(filledCatalog({ wiki: servers.wiki ?? [] }))).toBe('Japanese');
  });

  it('is not known where nothing is described', () => {
    expect(catalogLanguage(filledCatalog({}))).toBeUndefined();
  });
});

describe('scriptLanguage', () => {
  it.each([
    ['이슈 생성', 'Korean'],
    ['课题を作る', 'Japanese'],
    ['创建问题', 'Chinese'],
    ['создать', 'Russian'],
    ['créer un ticket', undefined],
    ['12', undefined],
  ])('%j', (text, language) => {
    expect(scriptLanguage(text)).toBe(language);
  });
});
