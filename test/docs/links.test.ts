import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

describe('links between pages', () => {
  it.each(pages)('%s: each leads to a file, and to a heading that is there', (page) => {
    const text = readFileSync(join(root, page), 'utf8').replace(/^```.*?^```$/gms, '');
    const links = [...text.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

function anchorsOf(page: string): string[] {
  const headings = readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
