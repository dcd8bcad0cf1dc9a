import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, ToolcribError } from '../../errors/index.ts';
import { embedderId } from './embedder-id.ts';
import type { ModelTraits, TextModel } from './local-embedder.ts';
import { toUnitLength } from './pooling.ts';
import { type LibraryChoice, loadTransformersLibrary, type TransformersLibrary } from './transformers-library.ts';

export type TransformersDtype = 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'q4f16' | 'bnb4';

/** Which model, and how texts go through it. Plain JSON. */
export interface TransformersModelOptions extends LibraryChoice {
  /** An id on the hub (`Xenova/bge-small-en-v1.5`) or the absolute path of a folder in the layout of transformers.js. */
  model: string;
  /** True when `model` is a path. */
  isFolder: boolean;
  /** Branch, tag or commit on the hub. Default `main`. */
  revision?: string;
  /** Which ONNX file. */
  dtype: TransformersDtype;
  pooling: 'mean' | 'cls';
  /** Keeps this many of the first values, for models that are trained to be cut (Matryoshka). Default all. */
  dimensions?: number;
  queryPrefix?: string;
  documentPrefix?: string;
  readsAllScripts: boolean;
  /** Absolute: where models from the hub are kept. */
  cacheFolder: string;
  /** False: a model that is not in `cacheFolder` is an error, never a download. */
  allowDownload: boolean;
  /** Another place with the hub's layout. */
  hubUrl?: string;
}

/** A longer text is cut before it is tokenised: no model here reads more, and tokenising a megabyte takes seconds. */
const maxCharacters = 8_192;

/** The query's prefix is no part of the id: it changes no stored vector. */
export function transformersTraits(options: TransformersModelOptions): ModelTraits {
  const { model, isFolder, dtype, pooling, revision = 'main', documentPrefix = '', dimensions = 0 } = options;
  const source = isFolder ? modelFiles(model) : revision;
  const name = isFolder ? basename(model) : model;
  return {
    id: embedderId(['transformers', name, dtype], [model, source, pooling, documentPrefix, dimensions]),
    dimensions,
    readsAllScripts: options.readsAllScripts,
  };
}

/** Tells one state of a model folder from the next, without reading hundreds of megabytes. */
function modelFiles(folder: string): unknown[] {
  return [folder, join(folder, 'onnx')].flatMap((directory) => {
    try {
      return readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => [name, statSync(join(directory, name)).size, statSync(join(directory, name)).mtimeMs])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    } catch {
      // Loading it will say what is wrong.
      return [];
    }
  });
}

/**
 * Loads a model with the library that the user has installed; from the hub where it is not on disk yet.
 *
 * @throws ToolcribError `embedding_library_missing`, `embedding_model_broken`.
 */
export async function loadTransformersModel(options: TransformersModelOptions): Promise<TextModel> {
  const library = await loadTransformersLibrary(options);
  setSources(library, options);
  try {
    const extract = await library.pipeline(
      'feature-extraction',
      options.isFolder ? basename(options.model) : options.model,
      pipelineOptions(library, options),
    );
    return {
      embed: async (text) => {
        const { data } = await extract(text.slice(0, maxCharacters), { pooling: options.pooling, normalize: true });
        return toUnitLength(cut(Float32Array.from(data), options));
      },
      release: async () => {
        await extract.dispose();
      },
    };
  } catch (cause) {
    throw brokenModel(`The model ${options.model} cannot be loaded with ${library.name}: ${messageOf(cause)}`, cause);
  }
}

function setSources({ env }: TransformersLibrary, options: TransformersModelOptions): void {
  const { model, isFolder, allowDownload, cacheFolder, hubUrl } = options;
  env.cacheDir = cacheFolder;
  env.allowRemoteModels = !isFolder && allowDownload;
  env.allowLocalModels = !env.allowRemoteModels;
  // The cache has the layout of a folder of models.
  env.localModelPath = isFolder ? dirname(model) : cacheFolder;
  if (hubUrl !== undefined) env.remoteHost = hubUrl.endsWith('/') ? hubUrl : `${hubUrl}/`;
}

/** The older package knows two kinds of files only. */
function pipelineOptions({ name }: TransformersLibrary, options: TransformersModelOptions): Record<string, unknown> {
  const { dtype, revision = 'main' } = options;
  if (name === '@huggingface/transformers') {
    // One thread: the other cores belong to the program that searches.
    return { revision, dtype, session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 } };
  }
  if (dtype !== 'q8' && dtype !== 'fp32') {
    throw new Error(`it knows the dtypes "q8" and "fp32", not "${dtype}"; @huggingface/transformers knows more`);
  }
  return { revision, quantized: dtype === 'q8' };
}

function cut(vector: Float32Array, { model, dimensions = vector.length }: TransformersModelOptions): Float32Array {
  if (!vector.every(Number.isFinite)) throw brokenModel(`The model ${model} gave a vector that holds no numbers.`);
  if (dimensions > vector.length) {
    throw brokenModel(`The model ${model} gives ${vector.length} values, fewer than "dimensions": ${dimensions}.`);
  }
  return vector.slice(0, dimensions);
}

function brokenModel(message: string, cause?: unknown): ToolcribError {
  return new ToolcribError('embedding_model_broken', message, {
    next: 'Check "embedding" in the config, or set it to "minilm"; search goes on by keywords.',
    cause,
  });
}
