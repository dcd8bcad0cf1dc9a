import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf, ToolcribError } from '../../errors/index.ts';

/** The packages that can run a hub model, the one that is looked for first in front. */
export const transformersLibraries = ['@huggingface/transformers', '@xenova/transformers'] as const;

export type TransformersLibraryName = (typeof transformersLibraries)[number];

/** The part of either package that is used here. */
export interface TransformersLibrary {
  name: TransformersLibraryName;
  env: {
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
    localModelPath: string;
    cacheDir: string | null;
    remoteHost: string;
  };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: Record<string, unknown>,
  ): Promise<FeatureExtractionPipeline>;
}

export interface FeatureExtractionPipeline {
  (text: string, options: { pooling: string; normalize: boolean }): Promise<{ data: ArrayLike<number> }>;
  dispose(): Promise<unknown>;
}

export interface LibraryChoice {
  /** Default: the first that is installed. */
  library?: TransformersLibraryName;
  /** Absolute: a folder whose `node_modules` holds the package. Default: wherever toolcrib itself finds it. */
  libraryFolder?: string;
}

/**
 * Imports the package that runs hub models. It is none of toolcrib's own dependencies: it is large, and few need it.
 *
 * @throws ToolcribError `embedding_library_missing` where none is installed, `embedding_model_broken` where it is and
 * cannot be loaded.
 */
export async function loadTransformersLibrary(choice: LibraryChoice): Promise<TransformersLibrary> {
  const { name, path } = findTransformersLibrary(choice);
  return importLibrary(name, path);
}

/**
 * Where the package is, without loading it.
 *
 * @throws ToolcribError `embedding_library_missing`.
 */
export function findTransformersLibrary({ library, libraryFolder }: LibraryChoice): {
  name: TransformersLibraryName;
  path: string;
} {
  const names = library === undefined ? transformersLibraries : [library];
  const require = createRequire(libraryFolder === undefined ? import.meta.url : join(libraryFolder, 'package.json'));
  for (const name of names) {
    const path = resolveOrNothing(require, name);
    if (path !== undefined) return { name, path };
  }
  throw missing(names, libraryFolder);
}

function resolveOrNothing(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

async function importLibrary(name: TransformersLibraryName, path: string): Promise<TransformersLibrary> {
  try {
    const imported = (await import(pathToFileURL(path).href)) as Partial<TransformersLibrary> & {
      default?: Partial<TransformersLibrary>;
    };
    // Node does not find every name that a CommonJS build exports; they are all under `default`.
    const { env, pipeline } = imported.pipeline === undefined ? (imported.default ?? {}) : imported;
    if (env === undefined || pipeline === undefined) throw new Error('it exports no "pipeline"');
    return { name, env, pipeline };
  } catch (cause) {
    throw new ToolcribError('embedding_model_broken', `${name} at ${path} cannot be loaded: ${messageOf(cause)}`, {
      next: `Install ${name} again, or set "embedding": "minilm".`,
      cause,
    });
  }
}

function missing(names: readonly TransformersLibraryName[], libraryFolder: string | undefined): ToolcribError {
  const place = libraryFolder ?? fileURLToPath(new URL('.', import.meta.url));
  const next =
    libraryFolder === undefined
      ? `Run \`npm install ${names[0]}\` where toolcrib is installed (with -g for a global one), or in any folder that "libraryFolder" then names.`
      : `Run \`npm install ${names[0]}\` in ${libraryFolder}.`;
  return new ToolcribError(
    'embedding_library_missing',
    `The embedding provider "transformers" needs ${names.join(' or ')}, which is not installed (looked from ${place} upwards).`,
    { next, details: { libraries: names } },
  );
}
