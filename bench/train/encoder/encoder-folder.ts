import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildModelFiles, modelName } from '../../../index-data/build/model-files.ts';
import { repositoryFolder } from '../../data/bench-data.ts';

/** What training keeps between runs; not part of the repository. */
export const cacheFolder = join(repositoryFolder, 'bench/.cache');

/** An encoder of its own in the layout of `index-data`, and room for what was embedded with it. */
export interface EncoderFolder {
  modelDir: string;
  variantFolder: string;
}

/** The encoder with the change of the file `delta`, or as it was published. Built once for each content of that file. */
export function encoderFolder(delta: string | undefined): EncoderFolder {
  const variant = delta === undefined ? 'published' : sha256(readFileSync(delta)).slice(0, 12);
  const variantFolder = join(cacheFolder, `encoder-${variant}`);
  const manifest = join(variantFolder, 'manifest.json');
  if (!existsSync(manifest)) {
    const files = buildModelFiles({ delta });
    for (const { path, bytes } of files) {
      mkdirSync(dirname(join(variantFolder, path)), { recursive: true });
      writeFileSync(join(variantFolder, path), bytes);
    }
    const hashes = files.map(({ path, bytes }) => ({ path, sha256: sha256(bytes) }));
    writeFileSync(manifest, JSON.stringify({ files: hashes }));
  }
  return { modelDir: join(variantFolder, 'models', modelName), variantFolder };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
