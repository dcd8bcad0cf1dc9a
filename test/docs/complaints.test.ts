import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/complaints.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [A-Z]\d+ /.test(line));

/** `path` "title" as the table writes it. */
const reference = /`(test\/[\w./-]+)` "([^"]+)"/g;

describe('docs/complaints.md', () => {
  it('has every complaint of its groups', () => {
    const named = new Set(rows.map((row) => String(row.split('|')[1]).trim()).filter((name) => !name.startsWith('F')));
    const range = (group: string, from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `${group}${from + index}`);
    expect([...named]).toEqual([
      ...range('A', 85, 93),
      ...range('R', 75, 84),
      ...range('M', 41, 56),
      ...range('P', 66, 74),
    ]);
  });

  it.each(rows.map((row) => [row.split('|').slice(1, 3).join(':').trim(), row] as const))(
    '%s names tests that exist',
    (_row, row) => {
      const references = [...row.matchAll(reference)];
      expect(references.length).toBeGreaterThan(0);
      for (const [, path = '', title = ''] of references) {
        expect(existsSync(join(root, path)), path).toBe(true);
        const source = readFileSync(join(root, path), 'utf8');
        const isThere = ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
        expect(isThere, `${path}: ${title}`).toBe(true);
      }
    },
  );
});
