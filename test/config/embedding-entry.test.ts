import { dirname, join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { OpenAiValues, TransformersValues } from '../../src/config/embedding-schema.ts';
import { formatProblem, loadConfig, resolveOptions } from '../../src/config/index.ts';
import type { OpenAiEmbedding, ToolcribOptions, TransformersEmbedding } from '../../src/config/options.ts';
import { temporaryFile } from './temporary-folder.ts';

const env = { KEY: 'sk-live-12345', HOME: '/home/me' };
const resolve = (embedding: unknown) => resolveOptions({ embedding } as ToolcribOptions, { env });
const settingsOf = (embedding: unknown) => resolve(embedding).embedding;
const openai = { provider: 'openai', baseUrl: 'https://api.example/v1', model: 'small' };
const transformers = { provider: 'transformers', model: 'Xenova/bge-small-en-v1.5' };

describe('embedding', () => {
  it.each([
    [undefined, 'minilm'],
    ['minilm', 'minilm'],
    ['none', 'none'],
    [{ provider: 'minilm' }, 'minilm'],
    [{ provider: 'none' }, 'none'],
  ])('%j means %s', (written, provider) => {
    expect(settingsOf(written)).toEqual({ provider });
  });

  it('fills in the defaults of a hub model', () => {
    expect(settingsOf(transformers)).toEqual({
      provider: 'transformers',
      model: 'Xenova/bge-small-en-v1.5',
      isFolder: false,
      dtype: 'q8',
      pooling: 'mean',
      queryPrefix: '',
      documentPrefix: '',
      readsAllScripts: true,
      cacheFolder: expect.stringMatching(/toolcrib.*models$/),
      allowDownload: true,
    });
  });

  it('fills in the defaults of an endpoint', () => {
    expect(settingsOf(openai)).toEqual({
      provider: 'openai',
      baseUrl: 'https://api.example/v1',
      model: 'small',
      queryPrefix: '',
      documentPrefix: '',
      readsAllScripts: true,
      batchSize: 32,
      timeoutMs: 30_000,
      queryTimeoutMs: 1_000,
    });
  });

  it('keeps what is written', () => {
    const common = { dimensions: 33, queryPrefix: 'query: ', documentPrefix: 'passage: ' };
    const local = {
      revision: 'v1',
      dtype: 'fp16',
      pooling: 'cls',
      library: '@xenova/transformers',
      allowDownload: false,
    };
    expect(
      settingsOf({ ...transformers, ...common, ...local, languages: 'latin', hubUrl: 'https://hub.example' }),
    ).toMatchObject({ ...common, ...local, readsAllScripts: false, hubUrl: 'https://hub.example' });
    const remote = { batchSize: 512, timeoutMs: 5, queryTimeoutMs: 10_000 };
    expect(settingsOf({ ...openai, ...common, ...remote })).toMatchObject({ ...common, ...remote });
  });

  it.each([
    ['./models/mine', true],
    ['../mine', true],
    ['..', true],
    ['/abs/mine', true],
    [`\${userHome}/mine`, true],
    ['owner/name', false],
    ['.hidden/name', false],
    ['name', false],
  ])('model %s is a folder: %s', (model, isFolder) => {
    expect(settingsOf({ provider: 'transformers', model })).toMatchObject({ isFolder });
  });

  it('takes folders from the folder of the config', () => {
    const embedding = { provider: 'transformers', model: './m', libraryFolder: 'l', cacheFolder: '../c' };
    const path = temporaryFile('c.json', JSON.stringify({ embedding }));
    const base = dirname(path);
    expect(loadConfig({ path, env }).embedding).toMatchObject({
      model: join(base, 'm'),
      libraryFolder: join(base, 'l'),
      cacheFolder: join(base, '../c'),
    });
  });

  it('expands the key, and counts it as a secret', () => {
    const config = resolve({ ...openai, apiKey: `\${KEY}` });
    expect(config.embedding).toMatchObject({ apiKey: env.KEY });
    expect(config.secrets).toEqual([env.KEY]);
    expect(resolve({ ...openai, apiKey: 'written-out' }).secrets).toEqual(['written-out']);
    expect(resolve({ ...openai, baseUrl: 'https://x.dev/v1?api_key=abcdef' }).secrets).toEqual(['abcdef']);
  });

  it.each(['apiKey', 'baseUrl', 'model'])(
    'goes by keywords, with a warning, while the variable in %s is not set',
    (key) => {
      const config = resolve({ ...openai, [key]: `\${NONE}` });
      expect(config.embedding).toEqual({ provider: 'none' });
      expect(config.warnings.map(formatProblem)).toEqual([
        `embedding.${key}: variable \${NONE} is not set; set it, or give a default: \${NONE:-default}; until then search goes by keywords alone`,
      ]);
      expect(config.secrets).toEqual([]);
    },
  );

  it.each([
    ['http://api.example/v1', ['embedding.baseUrl: the API key is sent over the network unencrypted; use https://']],
    [
      'http://localhost.example/v1',
      ['embedding.baseUrl: the API key is sent over the network unencrypted; use https://'],
    ],
    ['http://127.0.0.1:8080/v1', []],
    ['http://localhost:8080/v1', []],
    ['http://[::1]:8080/v1', []],
    ['https://api.example/v1', []],
  ])('with a key, %s is worth %j', (baseUrl, warnings) => {
    expect(resolve({ ...openai, baseUrl, apiKey: 'abcdef' }).warnings.map(formatProblem)).toEqual(warnings);
  });

  it('warns of keys that mean nothing to the provider', () => {
    expect(resolve({ ...openai, pooling: 'cls', apikey: 'x' }).warnings.map(formatProblem)).toEqual([
      'embedding.pooling: unknown key "pooling"; it is ignored',
      'embedding.apikey: unknown key "apikey"; did you mean "apiKey"?',
    ]);
  });

  it.each<[unknown, string]>([
    ['foo', 'embedding: expected "minilm", "none", or an object with a "provider" and its settings, got "foo"'],
    ['openai', 'embedding: expected "minilm", "none", or an object with a "provider" and its settings, got "openai"'],
    [3, 'embedding: expected a text or an object, got 3'],
    [null, 'embedding: expected a text or an object, got null'],
    [{}, 'embedding.provider: expected one of "minilm", "none", "transformers", "openai", got nothing'],
    [{ provider: 'x' }, 'embedding.provider: expected one of "minilm", "none", "transformers", "openai", got "x"'],
    [{ provider: 'transformers' }, 'embedding.model: expected a text, got nothing'],
    [{ ...openai, baseUrl: 'ftp://x' }, 'embedding.baseUrl: expected a URL that starts with http:// or https://'],
    [
      { ...openai, baseUrl: 'https://me:pw@x.dev' },
      'embedding.baseUrl: expected a URL without a user name and password',
    ],
    [{ ...transformers, hubUrl: 'hub' }, 'embedding.hubUrl: expected a URL that starts with'],
    [{ ...openai, batchSize: 0 }, 'embedding.batchSize: expected a whole number of texts from 1 to 512, got 0'],
    [{ ...openai, queryTimeoutMs: 60_000 }, 'embedding.queryTimeoutMs: expected a whole number of milliseconds from 1'],
    [{ ...openai, apiKey: 4_711_081_5 }, 'embedding.apiKey: expected a text, got a number'],
    [{ ...openai, languages: 'english' }, 'embedding.languages: expected one of "any", "latin", got a text'],
  ])('refuses %j', (embedding, message) => {
    expect(() => resolve(embedding)).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(message) }),
    );
  });

  it('documents every key that it checks', () => {
    expectTypeOf<keyof TransformersEmbedding>().toEqualTypeOf<KnownKeys<TransformersValues>>();
    expectTypeOf<keyof OpenAiEmbedding>().toEqualTypeOf<KnownKeys<OpenAiValues>>();
  });
});

/** Without the signature that lets unknown keys through. */
type KnownKeys<Values> = keyof { [Key in keyof Values as string extends Key ? never : Key]: Values[Key] };
