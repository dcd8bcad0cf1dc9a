/** Writes the pages of `docs/errors` anew; those of codes that are gone are removed. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { errorPages } from './error-pages.ts';

const folder = new URL('../errors/', import.meta.url);
const pages = errorPages();
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(new URL(name, folder));
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text);
