import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf, ToolcribError } from '../../errors/index.ts';

interface Manifest {
  files: { path: string; sha256: string }[];
}

/** A model folder `index-data/models/<name>` whose files are checked against `index-data/manifest.json` when they are used. */
export interface ModelFolder {
  /** The JSON of a small file. */
  json(relativePath: string): Promise<object>;
  /** The full path of a large file, for a library that reads it. */
  checked(relativePath: string): Promise<string>;
}

/**
 * Opens a model folder: half a model would still load and rank wrongly.
 *
 * @throws ToolcribError `embedding_model_broken`, as its methods do, when a file is missing, unreadable or altered.
 */
export async function openModelFolder(modelDir: string): Promise<ModelFolder> {
  const hashes = await readHashes(modelDir);
  return {
    json: async (path) => {
      const fullPath = join(modelDir, path);
      const bytes = await readFile(fullPath).catch((cause: unknown) => {
        throw unreadable(fullPath, cause);
      });
      checkHash(fullPath, createHash('sha256').update(bytes).digest('hex'), hashes.get(path));
      return parseJson(bytes);
    },
    checked: async (path) => {
      const fullPath = join(modelDir, path);
      checkHash(fullPath, await hashInParts(fullPath), hashes.get(path));
      return fullPath;
    },
  };
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

/**
 * Without holding the whole file: it is read again by the library, which then has the only copy in memory. All parts go
 * through one buffer, since what a start leaves behind is not collected in a process that allocates little afterwards.
 */
async function hashInParts(path: string): Promise<string> {
  try {
    const file = await open(path);
    return await hashOf(file).finally(() => file.close());
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function hashOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const part = Buffer.allocUnsafeSlow(partBytes);
  for (;;) {
    const { bytesRead } = await file.read(part, 0, partBytes);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(part.subarray(0, bytesRead));
  }
}

/** Large enough that reading takes few steps. */
const partBytes = 1_048_576;

function checkHash(path: string, actual: string, expected: string | undefined): void {
  if (expected === undefined) throw broken(`The manifest does not name ${path}.`);
  if (actual !== expected) throw broken(`${path} has SHA-256 ${actual}; the manifest says ${expected}.`);
}

function parseJson(bytes: Uint8Array): object {
  return JSON.parse(new TextDecoder().decode(bytes)) as object;
}

function unreadable(path: string, cause: unknown): ToolcribError {
  return broken(`${path} cannot be read: ${messageOf(cause)}`, cause);
}

function broken(message: string, cause?: unknown): ToolcribError {
  return new ToolcribError('embedding_model_broken', message, { cause });
}
