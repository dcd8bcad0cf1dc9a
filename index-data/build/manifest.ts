import { createHash } from 'node:crypto';
import { type BuiltFile, modelSource } from './model-files.ts';

/** One file that ships with the index. */
export interface ManifestEntry {
  /** Relative to `index-data/`. */
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** SPDX. */
  licence: string;
  origin: string;
  made: string;
}

const byHand = 'written by hand';
const trained = 'trained by `npm run train:ranker` on the development halves of the labelled sets';

/** What was written or trained for this project. */
export const ownDataFiles = {
  'lexicon.json': byHand,
  'stop-words.json': byHand,
  'vocabulary.json': byHand,
  'ranker.json': trained,
} as const;

export function modelEntry(file: BuiltFile): ManifestEntry {
  return {
    path: file.path,
    ...measure(file.bytes),
    licence: 'Apache-2.0',
    origin: `sentence-transformers/all-MiniLM-L6-v2, by way of the npm package ${modelSource}`,
    made: file.made,
  };
}

export function ownEntry(path: keyof typeof ownDataFiles, bytes: Uint8Array): ManifestEntry {
  return {
    path,
    ...measure(bytes),
    licence: 'Apache-2.0',
    origin: 'toolcrib',
    made: ownDataFiles[path],
  };
}

function measure(bytes: Uint8Array): Pick<ManifestEntry, 'bytes' | 'sha256'> {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
