import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf, ToolcribError } from '../../errors/index.ts';

/** The model folder in memory, layout of transformers.js. */
export interface ModelFiles {
  tokenizer: object;
  tokenizerConfig: object;
  onnx: Uint8Array;
}

interface Manifest {
  files: { path: string; sha256: string }[];
}

/**
 * Reads a model folder `index-data/models/<name>` and checks each file against `index-data/manifest.json`: half a
 * model would still load and rank wrongly. About 15 ms for 23 MB.
 *
 * @throws ToolcribError `embedding_model_broken` when a file is missing, unreadable or altered.
 */
export async function readModelFiles(modelDir: string): Promise<ModelFiles> {
  const hashes = await readHashes(modelDir);
  const read = (path: string) => readVerified(modelDir, path, hashes.get(path));
  const [tokenizer, tokenizerConfig, onnx] = await Promise.all([
    read('tokenizer.json'),
    read('tokenizer_config.json'),
    read('onnx/model_quantized.onnx'),
  ]);
  return { tokenizer: parse(tokenizer), tokenizerConfig: parse(tokenizerConfig), onnx };
}

async function readHashes(modelDir: string): Promise<Map<string, string>> {
  const path = join(modelDir, '..', '..', 'manifest.json');
  const prefix = `models/${basename(modelDir)}/`;
  try {
    const { files } = parse(await readFile(path)) as Manifest;
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
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw broken(`${path} cannot be read: ${messageOf(cause)}`, cause);
  });
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== expected) throw broken(`${path} has SHA-256 ${actual}; the manifest says ${expected}.`);
  return bytes;
}

function parse(bytes: Uint8Array): object {
  return JSON.parse(new TextDecoder().decode(bytes)) as object;
}

function broken(message: string, cause?: unknown): ToolcribError {
  return new ToolcribError('embedding_model_broken', message, { cause });
}
