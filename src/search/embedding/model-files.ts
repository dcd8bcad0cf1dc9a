import { webcrypto } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf, ToolcribError } from '../../errors/index.ts';

const { subtle } = webcrypto;

interface Manifest {
  files: { path: string; sha256: string }[];
}

/** Reads one file of a model folder, by its path in the folder. */
export type ReadModelFile = (relativePath: string) => Promise<Uint8Array>;

/**
 * Opens a model folder `index-data/models/<name>`. Each file that is read is checked against `index-data/manifest.json`:
 * half a model would still load and rank wrongly. Reading and hashing block no other work.
 *
 * @throws ToolcribError `embedding_model_broken`, as reading does, when a file is missing, unreadable or altered.
 */
export async function openModelFolder(modelDir: string): Promise<ReadModelFile> {
  const hashes = await readHashes(modelDir);
  return (path) => readVerified(modelDir, path, hashes.get(path));
}

async function readHashes(modelDir: string): Promise<Map<string, string>> {
  const path = join(modelDir, '..', '..', 'manifest.json');
  const prefix = `models/${basename(modelDir)}/`;
  try {
    const { files } = parseJson(await readFile(path)) as Manifest;
    return new Map(
      files.filter((file) => file.path.startsWith(prefix)).map((file) => [file.path.slice(prefix.length), file.sha256]),
    );
  } catch (cause) {
    throw broken(`The manifest ${path} cannot be read: ${messageOf(cause)}`, cause);
  }
}

async function readVerified(modelDir: string, relativePath: string, expected: string | undefined): Promise<Uint8Array> {
  const path = join(modelDir, relativePath);
  if (expected === undefined) throw broken(`The manifest does not name ${path}.`);
  const bytes = await readWhole(path).catch((cause: unknown) => {
    throw broken(`${path} cannot be read: ${messageOf(cause)}`, cause);
  });
  const actual = Buffer.from(await subtle.digest('SHA-256', bytes)).toString('hex');
  if (actual !== expected) throw broken(`${path} has SHA-256 ${actual}; the manifest says ${expected}.`);
  return bytes;
}

/** At one go: `readFile` takes a large file in many small steps, each of which waits for its turn. */
async function readWhole(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array((await file.stat()).size);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

export function parseJson(bytes: Uint8Array): object {
  return JSON.parse(new TextDecoder().decode(bytes)) as object;
}

function broken(message: string, cause?: unknown): ToolcribError {
  return new ToolcribError('embedding_model_broken', message, { cause });
}
