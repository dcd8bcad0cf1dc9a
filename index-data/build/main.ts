/** Remakes what ships in `index-data/` and its manifest: `npx tsx index-data/build/main.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelEntry, ownDataFiles, ownEntry } from './manifest.ts';
import { buildModelFiles, writeModelFiles } from './model-files.ts';

const indexDataDir = fileURLToPath(new URL('..', import.meta.url));

const modelFiles = buildModelFiles();
writeModelFiles(indexDataDir, modelFiles);
const files = [
  ...modelFiles.map(modelEntry),
  ...(Object.keys(ownDataFiles) as (keyof typeof ownDataFiles)[]).map((path) =>
    ownEntry(path, readFileSync(join(indexDataDir, path))),
  ),
];
const manifest = JSON.stringify({ files }, null, 2);
writeFileSync(join(indexDataDir, 'manifest.json'), `${manifest}\n`);
process.stdout.write(`${files.map(({ path, bytes, sha256 }) => `${sha256}  ${bytes}  ${path}`).join('\n')}\n`);
