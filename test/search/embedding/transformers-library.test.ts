import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadTransformersLibrary } from '../../../src/search/embedding/transformers-library.ts';
import { createTransformersEmbedder } from '../../../src/search/embedding/worker-embedder.ts';
import { workerPath } from './model.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolcrib-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A package of this name in the `node_modules` of a folder. */
function install(folder: string, name: string, source: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, 'package.json'),
    JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'main.js' }),
  );
  writeFileSync(join(place, 'main.js'), source);
}

const working = 'export const env = {}; export const pipeline = async () => undefined;';

describe('loadTransformersLibrary', () => {
  it('says what to install and where, for toolcrib itself: neither package is one of its dependencies', async () => {
    await expect(loadTransformersLibrary({})).rejects.toMatchObject({
      code: 'embedding_library_missing',
      message: expect.stringContaining('@huggingface/transformers or @xenova/transformers, which is not installed'),
      next: expect.stringContaining('npm install @huggingface/transformers'),
    });
  });

  it('looks for the package that the config names, in the folder that it names', async () => {
    const folder = temporaryFolder();
    install(folder, '@huggingface/transformers', working);
    const library = '@xenova/transformers';
    await expect(loadTransformersLibrary({ library, libraryFolder: folder })).rejects.toMatchObject({
      code: 'embedding_library_missing',
      message: expect.stringContaining(`needs ${library}, which is not installed (looked from ${folder}`),
      next: `Run \`npm install ${library}\` in ${folder}.`,
    });
  });

  it.each([
    [['@xenova/transformers'], '@xenova/transformers'],
    [['@xenova/transformers', '@huggingface/transformers'], '@huggingface/transformers'],
  ])('with %j installed takes %s', async (installed, expected) => {
    const folder = temporaryFolder();
    for (const name of installed) install(folder, name, working);
    expect(await loadTransformersLibrary({ libraryFolder: folder })).toMatchObject({ name: expected });
  });

  it.each([
    ['that fails', 'throw new Error("no native part")', 'no native part'],
    ['that is something else', 'export const other = 1;', 'it exports no "pipeline"'],
  ])('tells a package %s from a missing one', async (_, source, reason) => {
    const folder = temporaryFolder();
    install(folder, '@xenova/transformers', source);
    await expect(loadTransformersLibrary({ libraryFolder: folder })).rejects.toMatchObject({
      code: 'embedding_model_broken',
      message: expect.stringContaining(reason),
    });
  });
});

const options = {
  model: 'Xenova/none',
  isFolder: false,
  dtype: 'q8',
  pooling: 'mean',
  readsAllScripts: true,
  cacheFolder: '/nowhere',
  allowDownload: false,
} as const;

describe('createTransformersEmbedder without a package', () => {
  it('rejects with what to do, whatever is asked of it', async () => {
    const embedder = createTransformersEmbedder({ ...options, workerUrl: workerPath });
    onTestFinished(() => embedder.close());
    const expected = { code: 'embedding_library_missing', next: expect.stringContaining('npm install') };
    await expect(embedder.ready()).rejects.toMatchObject(expected);
    await expect(embedder.embed(['x'], 'document')).rejects.toMatchObject(expected);
    expect(embedder).toMatchObject({ readsAllScripts: true, dimensions: 0 });
  });
});

describe('createTransformersEmbedder with a package that does not work', () => {
  it.each([
    ['in the calling process', '/nowhere/worker.js'],
    ['in a worker, where `npm run build` has made one', workerPath],
  ])('rejects with the reason and what to do, %s', async (_, workerUrl) => {
    const libraryFolder = temporaryFolder();
    install(libraryFolder, '@xenova/transformers', 'throw new Error("no native part")');
    const embedder = createTransformersEmbedder({ ...options, libraryFolder, workerUrl });
    onTestFinished(() => embedder.close());
    const expected = {
      code: 'embedding_model_broken',
      message: expect.stringContaining('no native part'),
      next: expect.stringContaining('Install @xenova/transformers again'),
    };
    await expect(embedder.ready()).rejects.toMatchObject(expected);
    await expect(embedder.embed(['x'], 'document')).rejects.toMatchObject(expected);
  });
});

describe('the id of a transformers model', () => {
  const idOf = (more: object) => createTransformersEmbedder({ ...options, ...more, workerUrl: workerPath }).id;

  it.each([
    { model: 'Xenova/other' },
    { revision: 'v2' },
    { dtype: 'fp32' },
    { pooling: 'cls' },
    { dimensions: 100 },
    { documentPrefix: 'passage: ' },
  ])('changes with %j', (more) => {
    expect(idOf(more)).not.toBe(idOf({}));
  });

  it.each([
    { queryPrefix: 'query: ' },
    { cacheFolder: '/x' },
    { library: '@xenova/transformers' },
    { revision: 'main' },
  ])('stays with %j', (more) => {
    expect(idOf(more)).toBe(idOf({}));
  });

  it('changes with the files of a folder', () => {
    const model = temporaryFolder();
    mkdirSync(join(model, 'onnx'));
    writeFileSync(join(model, 'onnx/model_quantized.onnx'), 'one');
    const before = idOf({ model, isFolder: true });
    expect(idOf({ model, isFolder: true })).toBe(before);
    writeFileSync(join(model, 'onnx/model_quantized.onnx'), 'three');
    expect(idOf({ model, isFolder: true })).not.toBe(before);
  });
});
