/**
 * The shipped model folder in both generations of transformers.js, and toolcrib's own provider through them. The packages are
 * installed by `npm run test:transformers` alone: they are large, and none of toolcrib's dependencies.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createInProcessEmbedder } from '../../src/search/embedding/in-process-embedder.ts';
import { createTransformersEmbedder, type TransformersOptions } from '../../src/search/embedding/worker-embedder.ts';
import { cosine, isBuilt, modelDir, workerPath } from '../search/embedding/model.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const libraries = ['@huggingface/transformers', '@xenova/transformers'] as const;
const isInstalled = libraries.every((name) => existsSync(join(here, 'node_modules', name)));

const texts = [
  'create an issue in a repository',
  'github create pull request. Opens a pull request from one branch to another.',
  'Reads the whole of a file as text. Fails for files beyond the allowed directories.',
  'Überweisung an einen Empfänger ausführen',
];

/** Other versions of onnxruntime round the 8-bit products in another way. */
const leastCosine = 0.99;

const options: TransformersOptions = {
  model: modelDir,
  isFolder: true,
  dtype: 'q8',
  pooling: 'mean',
  readsAllScripts: false,
  cacheFolder: join(here, 'node_modules/.cache'),
  allowDownload: false,
  libraryFolder: here,
  workerUrl: workerPath,
};

async function ours(): Promise<Float32Array[]> {
  const embedder = createInProcessEmbedder({ modelDir });
  onTestFinished(() => embedder.close());
  return embedder.embed(texts, 'document');
}

function expectNear(vectors: readonly Float32Array[], expected: readonly Float32Array[]): void {
  const cosines = expected.map((vector, index) => cosine(vector, vectors[index]));
  expect(
    cosines.map((value) => value >= leastCosine),
    cosines.join(' '),
  ).toEqual(texts.map(() => true));
}

describe.skipIf(!isInstalled || !isBuilt)('transformers.js (skipped without `npm run test:transformers`)', () => {
  it.each(libraries)('%s loads the shipped model folder, and its vectors are ours', async (library) => {
    const output = execFileSync(
      process.execPath,
      [join(here, 'plain-use.mjs'), library, dirname(modelDir), basename(modelDir), JSON.stringify(texts)],
      { encoding: 'utf8', maxBuffer: 1 << 24 },
    );
    const vectors = (JSON.parse(output) as number[][]).map((values) => Float32Array.from(values));
    expectNear(vectors, await ours());
  });

  it.each(libraries)('the provider embeds through %s', async (library) => {
    const embedder = createTransformersEmbedder({ ...options, library });
    onTestFinished(() => embedder.close());
    await embedder.ready();
    const [documents, queries] = [await embedder.embed(texts, 'document'), await embedder.embed(texts, 'query')];
    expect(embedder.dimensions).toBe(384);
    expect(queries).toEqual(documents);
    expectNear(documents, await ours());
  });

  it('takes the newer package where both are installed, and puts the prefixes before the texts', async () => {
    const plain = createTransformersEmbedder(options);
    const newer = createTransformersEmbedder({ ...options, library: libraries[0] });
    const prefixed = createTransformersEmbedder({ ...options, queryPrefix: 'query: ', documentPrefix: 'passage: ' });
    onTestFinished(async () => {
      await Promise.all([plain.close(), newer.close(), prefixed.close()]);
    });
    const [query, passage] = await plain.embed(['query: list files', 'passage: list files'], 'query');
    expect(await newer.embed(['query: list files'], 'query')).toEqual([query]);
    expect(await prefixed.embed(['list files'], 'query')).toEqual([query]);
    expect(await prefixed.embed(['list files'], 'document')).toEqual([passage]);
  });

  it('cuts vectors to the dimensions asked for, odd ones as well, at unit length', async () => {
    const embedder = createTransformersEmbedder({ ...options, dimensions: 33 });
    onTestFinished(() => embedder.close());
    const [vector] = await embedder.embed(['list files'], 'query');
    expect(vector).toHaveLength(33);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
  });

  it('says so when more dimensions are asked for than there are', async () => {
    const embedder = createTransformersEmbedder({ ...options, dimensions: 385 });
    onTestFinished(() => embedder.close());
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'embedding_model_broken',
      message: expect.stringContaining('gives 384 values, fewer than "dimensions": 385'),
    });
  });

  it.each(libraries)('%s reports a folder without a model, and a model that may not be fetched', async (library) => {
    for (const choice of [{ model: '/nowhere/none' }, { model: 'nobody/none', isFolder: false }]) {
      const embedder = createTransformersEmbedder({ ...options, ...choice, library });
      onTestFinished(() => embedder.close());
      await expect(embedder.ready()).rejects.toMatchObject({
        code: 'embedding_model_broken',
        message: expect.stringContaining(choice.model),
      });
    }
  });

  it('says which dtypes the older package lacks', async () => {
    const embedder = createTransformersEmbedder({ ...options, library: libraries[1], dtype: 'q4' });
    onTestFinished(() => embedder.close());
    await expect(embedder.ready()).rejects.toMatchObject({
      message: expect.stringContaining('knows the dtypes "q8" and "fp32"'),
    });
  });

  it.each(libraries)('%s fetches a model from a hub once, and then works without it', async (library) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-hub-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const hub = await startHub(join(folder, 'hub'));
    const fromHub = { ...options, library, model: 'someone/mini', isFolder: false, cacheFolder: join(folder, 'cache') };
    const first = createTransformersEmbedder({ ...fromHub, allowDownload: true, hubUrl: hub.url });
    onTestFinished(() => first.close());
    const vectors = await first.embed(texts, 'document');
    expect(hub.requests.some((path) => path.endsWith('/model_quantized.onnx'))).toBe(true);
    await hub.close();
    const second = createTransformersEmbedder(fromHub);
    onTestFinished(() => second.close());
    expect(await second.embed(texts, 'document')).toEqual(vectors);
    expect(second.id).toBe(first.id);
  });
});

/** Serves the shipped model as `someone/mini`, in the layout of the hub. */
async function startHub(folder: string): Promise<{ url: string; requests: string[]; close(): Promise<void> }> {
  mkdirSync(folder, { recursive: true });
  cpSync(modelDir, folder, { recursive: true });
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    const path = resolve(folder, url.replace('/someone/mini/resolve/main/', ''));
    if (!path.startsWith(folder) || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    const bytes = readFileSync(path);
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
