import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Path of a file or folder of this package, from wherever its code runs: the sources, or a bundle at any depth. `relativePath`
 * is relative to the folder of `package.json`.
 */
export function packageFile(relativePath: string): string {
  return fileURLToPath(new URL(relativePath, packageFolder));
}

/**
 * The JavaScript file that a worker thread or child process is started from. `relativePath` is relative to `src/`, without an
 * ending. It is the built one also where the sources run untranslated (tests, `tsx`): Node 20 cannot start a `.ts` file.
 */
export function builtFile(relativePath: string): string {
  return packageFile(`dist/${relativePath}.js`);
}

const packageFolder = folderOfManifest(new URL('.', import.meta.url));

function folderOfManifest(folder: URL): URL {
  const above = new URL('..', folder);
  const found = existsSync(new URL('package.json', folder)) || above.href === folder.href;
  return found ? folder : folderOfManifest(above);
}
