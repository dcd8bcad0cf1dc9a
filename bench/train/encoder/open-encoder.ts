import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelEntry } from '../../../index-data/build/manifest.ts';
import { buildModelFiles, modelName, writeModelFiles } from '../../../index-data/build/model-files.ts';
import type { Embedder } from '../../../src/model/index.ts';
import { createMiniLmEmbedder } from '../../../src/search/training.ts';
import { repositoryFolder } from '../../data/bench-data.ts';

/** What training keeps between runs; not part of the repository. */
export const cacheFolder = join(repositoryFolder, 'bench/.cache');

/** A loaded encoder, its folder in the layout of `index-data`, and room for what was embedded with it. */
interface OpenEncoder {
  embedder: Embedder;
  modelDir: string;
  variantFolder: string;
}

/** The encoder with the change of the file `delta`, or as it was published. Built once for each content of that file. */
export async function openEncoder(delta: string | undefined): Promise<OpenEncoder> {
  const variant =
    delta === undefined ? 'published' : createHash('sha256').update(readFileSync(delta)).digest('hex').slice(0, 12);
  const variantFolder = join(cacheFolder, `encoder-${variant}`);
  const manifest = join(variantFolder, 'manifest.json');
  if (!existsSync(manifest)) {
    const files = buildModelFiles({ delta });
    writeModelFiles(variantFolder, files);
    writeFileSync(manifest, JSON.stringify({ files: files.map(modelEntry) }));
  }
  const modelDir = join(variantFolder, 'models', modelName);
  const workerUrl = join(repositoryFolder, 'dist/search/embedding/worker.js');
  const embedder = createMiniLmEmbedder({ modelDir, workerUrl });
  // A search goes on without a model that does not load; a training must not.
  await embedder.ready();
  return { embedder, modelDir, variantFolder };
}
