import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Path of a file or folder of this package, from wherever its code runs: the sources, or a bundle at any depth. `relativePath`
 * is relative to the folder of `package.json`. Loading this module throws where toolcrib's code was taken out of its package.
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

const packageName = 'toolcrib';
const packageFolder = folderOfPackage(new URL('.', import.meta.url));

function folderOfPackage(folder: URL): URL {
  if (isPackage(new URL('package.json', folder))) return folder;
  const above = new URL('..', folder);
  if (above.href !== folder.href) return folderOfPackage(above);
  throw new Error(
    `toolcrib's code runs outside its package, which holds the model and the programs that it starts. Where a bundler took it in, name "${packageName}" as external and install it beside the bundle.`,
  );
}

/** Others lie above as well: those of a host, or of a workspace. */
function isPackage(manifest: URL): boolean {
  try {
    return JSON.parse(readFileSync(manifest, 'utf8')).name === packageName;
  } catch {
    return false;
  }
}
