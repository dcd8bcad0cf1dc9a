import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorPages } from '../../docs/build/error-pages.ts';
import { outcomes } from '../../src/errors/index.ts';

const folder = new URL('../../docs/errors/', import.meta.url);

describe('docs/errors', () => {
  it('has a page for each outcome of a call, and no other', () => {
    const names = [...Object.keys(outcomes).map((code) => `${code}.md`), 'README.md'];
    expect(readdirSync(folder).sort()).toEqual(names.sort());
  });

  it.each([...errorPages()])('%s says what the catalogue says; if not, run `npm run docs:errors`', (name, text) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text);
  });
});
