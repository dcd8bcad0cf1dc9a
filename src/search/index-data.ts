import { readFileSync } from 'node:fs';
import { packageFile } from '../model/index.ts';

/** Reads a JSON file of `index-data/`, which lies beside `src/` and `dist/` in the package. */
export function readIndexData(name: string): unknown {
  return JSON.parse(readFileSync(packageFile(`index-data/${name}`), 'utf8'));
}
