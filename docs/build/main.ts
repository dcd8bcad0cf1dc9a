/** Writes everything that is made of the sources anew; pages of errors that are gone are removed. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { errorsFolder, madeFiles } from './pages.ts';

const root = new URL('../../', import.meta.url);
const files = madeFiles();
for (const name of readdirSync(new URL(errorsFolder, root))) {
  if (!files.has(errorsFolder + name)) rmSync(new URL(errorsFolder + name, root));
}
for (const [path, text] of files) writeFileSync(new URL(path, root), text);
