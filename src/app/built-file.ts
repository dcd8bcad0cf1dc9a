import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The JavaScript file that a worker thread or child process is started from. `relativePath` is relative to `src/`, without an ending. When the
 * sources run untranslated (tests, `tsx`), Node 20 cannot start a `.ts` file, so the built one in `dist/` is taken.
 */
export function builtFile(relativePath: string): string {
  const beside = fileURLToPath(new URL(`../${relativePath}.js`, import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL(`../../dist/${relativePath}.js`, import.meta.url));
}

/** A folder of the build that no source stands for: it lies in `dist/`, from wherever the program runs. */
export function builtFolder(relativePath: string): string {
  return fileURLToPath(new URL(`../../dist/${relativePath}`, import.meta.url));
}

/** A folder or file of `index-data/`, which lies beside `src/` and `dist/` in the package. */
export function indexData(relativePath: string): string {
  return fileURLToPath(new URL(`../../index-data/${relativePath}`, import.meta.url));
}
