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

/** Word lists that were written for this project. */
export const ownDataFiles = ['lexicon.json', 'stop-words.json', 'vocabulary.json'] as const;

export function modelEntry(file: BuiltFile): ManifestEntry {
  return {
    path: file.path,
    ...measure(file.bytes),
    licence: 'Apache-2.0',
    origin: `sentence-transformers/all-MiniLM-L6-v2, by way of the npm package ${modelSource}`,
    made: file.made,
  };
}

export function ownEntry(path: string, bytes: Uint8Array): ManifestEntry {
  return {
    path,
    ...measure(bytes),
    licence: 'Apache-2.0',
    origin: 'toolcrib',
    made: 'written by hand',
  };
}

function measure(bytes: Uint8Array): Pick<ManifestEntry, 'bytes' | 'sha256'> {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
