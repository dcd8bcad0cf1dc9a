import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { modelEntry } from '../../../index-data/build/manifest.ts';
import { buildModelFiles, modelName, writeModelFiles } from '../../../index-data/build/model-files.ts';
import { createInProcessEmbedder } from '../../../src/search/embedding/in-process-embedder.ts';
import { cosine, modelDir } from './model.ts';

const sentences = ['The weather is lovely today.', "It's so sunny outside!", 'He drove to the stadium.'];

it('the model as it was published has the similarities of its model card, as far as 8 bits go', async () => {
  const root = await mkdtemp(join(tmpdir(), 'toolcrib-published-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const files = buildModelFiles({ delta: undefined });
  writeModelFiles(root, files);
  await writeFile(join(root, 'manifest.json'), JSON.stringify({ files: files.map(modelEntry) }));
  const embedder = createInProcessEmbedder({ modelDir: join(root, 'models', modelName) });
  const [lovely, sunny, stadium] = await embedder.embed(sentences, 'query');
  await embedder.close();
  // In 32-bit floats: .666, .105, .141. Other CPUs may differ in the third place.
  expect(cosine(lovely, sunny)).toBeCloseTo(0.663, 2);
  expect(cosine(lovely, stadium)).toBeCloseTo(0.095, 2);
  expect(cosine(sunny, stadium)).toBeCloseTo(0.142, 2);
});

describe('the shipped model', () => {
  const embedder = createInProcessEmbedder({ modelDir });
  afterAll(() => embedder.close());

  it('has the similarities that its weights have in 32-bit floats, as far as 8 bits go', async () => {
    const [first, second, third] = await embedder.embed(sentences, 'query');
    // In 32-bit floats: .657, .139, .162. Other CPUs may differ in the third place.
    expect(cosine(first, second)).toBeCloseTo(0.614, 2);
    expect(cosine(first, third)).toBeCloseTo(0.146, 2);
    expect(cosine(second, third)).toBeCloseTo(0.163, 2);
  });

  it('gives unit vectors of the size it states', async () => {
    const [vector] = await embedder.embed(['create an issue'], 'document');
    expect(vector).toHaveLength(embedder.dimensions);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
  });

  it('gives a text the same vector alone and in a batch', async () => {
    const [alone] = await embedder.embed(['create an issue'], 'document');
    const [, inBatch] = await embedder.embed(['something else that is longer', 'create an issue'], 'document');
    expect(inBatch).toEqual(alone);
  });

  it('reads the first 256 tokens of a long text and no more', async () => {
    const head = 'file '.repeat(254);
    const [cut, long, longer] = await embedder.embed(
      [head, `${head} weather`, `${head} stadium`.repeat(50)],
      'document',
    );
    expect(long).toEqual(cut);
    expect(longer).toEqual(cut);
  });

  it('embeds the parts of a query from one pass over it, each nearest to itself', async () => {
    const parts = ['find the weather report', 'send it to my team by mail'];
    const query = `${parts[0]}, then ${parts[1]}`;
    const [whole, weather, mail] = await embedder.embedParts(query, parts);
    const [wholeAlone, weatherAlone, mailAlone] = await embedder.embed([query, ...parts], 'query');
    expect(whole).toEqual(wholeAlone);
    expect(weather).not.toEqual(weatherAlone);
    expect(cosine(weather, weather)).toBeCloseTo(1, 5);
    expect(cosine(weather, weatherAlone)).toBeGreaterThan(cosine(weather, mailAlone));
    expect(cosine(mail, mailAlone)).toBeGreaterThan(cosine(mail, weatherAlone));
  });

  it('embeds parts that are not in the query as they are', async () => {
    const [, elsewhere, empty] = await embedder.embedParts('list files', ['send a mail', '']);
    const [alone, emptyAlone] = await embedder.embed(['send a mail', ''], 'query');
    expect(elsewhere).toEqual(alone);
    expect(empty).toEqual(emptyAlone);
  });

  it.each(['', ' ', '\ud800', '👋', '이슈 생성', '\u0000'])('embeds %j', async (text) => {
    const [vector] = await embedder.embed([text], 'query');
    expect(vector?.every(Number.isFinite)).toBe(true);
  });
});

describe('a model folder that is not as it should be', () => {
  let root: string;
  let dir: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'toolcrib-model-'));
    dir = join(root, 'models', 'toolcrib-minilm-l6');
    await cp(modelDir, dir, { recursive: true });
    await cp(join(modelDir, '..', '..', 'manifest.json'), join(root, 'manifest.json'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const faults: [string, () => Promise<unknown>, RegExp][] = [
    ['a missing file', () => rm(join(dir, 'tokenizer.json')), /tokenizer\.json cannot be read/],
    [
      'a cut file',
      () => truncate(join(dir, 'onnx', 'model_quantized.onnx'), 1_000),
      /has SHA-256 \w+; the manifest says/,
    ],
    ['a missing manifest', () => rm(join(root, 'manifest.json')), /manifest\.json cannot be read/],
    ['a manifest without the model', () => writeFile(join(root, 'manifest.json'), '{"files":[]}'), /does not name/],
    ['a graph that is none', () => forge(root, dir), /cannot be loaded/],
  ];

  it.each(faults)('%s: ready and embed reject, nothing crashes', async (_, damage, message) => {
    await damage();
    const embedder = createInProcessEmbedder({ modelDir: dir });
    await expect(embedder.ready()).rejects.toMatchObject({
      code: 'embedding_model_broken',
      message: expect.stringMatching(message),
    });
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({ code: 'embedding_model_broken' });
    await embedder.close();
  });

  it('rejects after close', async () => {
    const embedder = createInProcessEmbedder({ modelDir: dir });
    await embedder.close();
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({ code: 'closed' });
  });
});

/** A file with the right hash that is no ONNX graph. */
async function forge(root: string, dir: string): Promise<void> {
  const text = 'not a graph';
  const path = join(root, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as { files: { path: string; sha256: string }[] };
  for (const file of manifest.files) {
    if (file.path.endsWith('.onnx')) file.sha256 = createHash('sha256').update(text).digest('hex');
  }
  await writeFile(path, JSON.stringify(manifest));
  await writeFile(join(dir, 'onnx', 'model_quantized.onnx'), text);
}
