import type { CatalogReader } from '../model/index.ts';

const scripts: readonly [language: string, letters: RegExp][] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Korean', /\p{Script=Hangul}/u],
  ['Chinese', /\p{Script=Han}/u],
  ['Russian', /\p{Script=Cyrillic}/u],
  ['English', /\p{Script=Latin}/u],
];

/** Tools that are looked at: enough to tell, few enough to read at once. */
const sampledTools = 200;

/**
 * The language that most descriptions of a catalog are written in, told by their script; Latin script is taken for English,
 * in which nearly all such servers describe themselves. Undefined where nothing is described.
 */
export function catalogLanguage(catalog: Pick<CatalogReader, 'names' | 'toolsByKeys'>): string | undefined {
  const names = catalog.names();
  const step = Math.max(1, Math.floor(names.length / sampledTools));
  const keys = names.filter((_, index) => index % step === 0).map(({ key }) => key);
  const counts = new Map<string, number>();
  for (const { description = '' } of catalog.toolsByKeys(keys)) {
    const language = scripts.find(([, letters]) => letters.test(description))?.[0];
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The language that a text is written in, as far as its script tells; undefined for Latin script. */
export function scriptLanguage(text: string): string | undefined {
  const language = scripts.find(([, letters]) => letters.test(text))?.[0];
  return language === 'English' ? undefined : language;
}
