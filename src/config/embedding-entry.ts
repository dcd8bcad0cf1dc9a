import { isAbsolute, resolve } from 'node:path';
import { check } from './check.ts';
import {
  embeddingNameSchema,
  embeddingSchema,
  type OpenAiValues,
  type TransformersValues,
} from './embedding-schema.ts';
import { isBaseVariable } from './environment.ts';
import { expandVariables, missingMessage, type Variables } from './expand.ts';
import { isHttpUrl } from './http-url.ts';
import { defaultModelFolder } from './paths.ts';
import type { ConfigProblem } from './problem.ts';
import { endpointSecrets, onlySecrets } from './secrets.ts';
import { type ConfigSource, problemAt } from './source.ts';
import { unknownKeyWarnings } from './unknown-keys.ts';

/** What search embeds with: every default filled in, every path absolute, every variable expanded. */
export type EmbeddingSettings = { provider: 'minilm' | 'none' } | TransformersSettings | OpenAiSettings;

interface CommonSettings {
  model: string;
  /** How many values a vector has; absent where the model decides. */
  dimensions?: number;
  queryPrefix: string;
  documentPrefix: string;
  /** `languages: "any"`. */
  readsAllScripts: boolean;
}

interface TransformersSettings extends CommonSettings {
  provider: 'transformers';
  /** True when `model` is the absolute path of a folder, false when it is an id on the hub. */
  isFolder: boolean;
  revision?: string;
  dtype: TransformersValues['dtype'];
  pooling: TransformersValues['pooling'];
  library?: NonNullable<TransformersValues['library']>;
  libraryFolder?: string;
  cacheFolder: string;
  allowDownload: boolean;
  hubUrl?: string;
}

interface OpenAiSettings extends CommonSettings {
  provider: 'openai';
  baseUrl: string;
  apiKey?: string;
  batchSize: number;
  timeoutMs: number;
  queryTimeoutMs: number;
}

export interface EmbeddingResult {
  settings: EmbeddingSettings;
  /** An error makes the config invalid. A missing variable is a warning, and search goes by keywords until it is set. */
  problems: ConfigProblem[];
  secrets: string[];
}

interface Reading {
  source: ConfigSource;
  variables: Variables;
  baseDirectory: string;
  result: EmbeddingResult;
  /** Values of variables that could be secrets. */
  expanded: string[];
  isIncomplete: boolean;
}

/** Reads `embedding`: the name of a provider, or an object with its settings. Nothing means the shipped model. */
export function readEmbedding(
  source: ConfigSource,
  value: unknown,
  variables: Variables,
  baseDirectory: string,
): EmbeddingResult {
  const result: EmbeddingResult = { settings: { provider: 'none' }, problems: [], secrets: [] };
  if (value === undefined || typeof value === 'string') {
    const { data, problems } = check(source, embeddingNameSchema, value ?? 'minilm', ['embedding']);
    return data === undefined ? { ...result, problems } : { ...result, settings: { provider: data } };
  }
  const { data, problems } = check(source, embeddingSchema, value, ['embedding']);
  if (data === undefined) return { ...result, problems };
  result.problems.push(...unknownKeyWarnings(source, value, data.provider, ['embedding']));
  const reading: Reading = { source, variables, baseDirectory, result, expanded: [], isIncomplete: false };
  const settings = readSettings(reading, data);
  if (!reading.isIncomplete) result.settings = settings;
  return { ...result, secrets: onlySecrets([...result.secrets, ...reading.expanded]) };
}

function readSettings(reading: Reading, values: ReturnType<typeof embeddingSchema.parse>): EmbeddingSettings {
  if (values.provider === 'transformers') return transformersSettings(reading, values);
  if (values.provider === 'openai') return openAiSettings(reading, values);
  return { provider: values.provider };
}

function transformersSettings(reading: Reading, values: TransformersValues): TransformersSettings {
  const model = expand(reading, 'model', values.model);
  const isFolder = isAbsolute(model) || /^\.{1,2}(?:[/\\]|$)/.test(model);
  const folder = (key: string, path: string) => resolve(reading.baseDirectory, expand(reading, key, path));
  const { revision, library, libraryFolder, cacheFolder, hubUrl } = values;
  return {
    provider: 'transformers',
    ...commonSettings(values),
    model: isFolder ? resolve(reading.baseDirectory, model) : model,
    isFolder,
    dtype: values.dtype,
    pooling: values.pooling,
    cacheFolder: cacheFolder === undefined ? defaultModelFolder() : folder('cacheFolder', cacheFolder),
    allowDownload: values.allowDownload,
    ...(revision !== undefined && { revision }),
    ...(library !== undefined && { library }),
    ...(libraryFolder !== undefined && { libraryFolder: folder('libraryFolder', libraryFolder) }),
    ...(hubUrl !== undefined && { hubUrl: httpUrl(reading, 'hubUrl', hubUrl) }),
  };
}

function openAiSettings(reading: Reading, values: OpenAiValues): OpenAiSettings {
  const baseUrl = httpUrl(reading, 'baseUrl', values.baseUrl);
  const apiKey = values.apiKey === undefined ? undefined : expand(reading, 'apiKey', values.apiKey);
  if (!reading.isIncomplete && isHttpUrl(baseUrl)) {
    reading.result.secrets.push(...endpointSecrets(baseUrl, apiKey));
    if (apiKey !== undefined && !isPrivateTo(new URL(baseUrl))) {
      report(reading, 'baseUrl', 'warning', 'the API key is sent over the network unencrypted; use https://');
    }
  }
  return {
    provider: 'openai',
    ...commonSettings(values),
    model: expand(reading, 'model', values.model),
    baseUrl,
    ...(apiKey !== undefined && { apiKey }),
    batchSize: values.batchSize,
    timeoutMs: values.timeoutMs,
    queryTimeoutMs: values.queryTimeoutMs,
  };
}

function commonSettings(values: TransformersValues | OpenAiValues): Omit<CommonSettings, 'model'> {
  const { dimensions, queryPrefix, documentPrefix, languages } = values;
  return {
    queryPrefix,
    documentPrefix,
    readsAllScripts: languages === 'any',
    ...(dimensions !== undefined && { dimensions }),
  };
}

function expand(reading: Reading, key: string, text: string): string {
  const expansion = expandVariables(text, reading.variables);
  reading.expanded.push(...expansion.used.filter(({ name }) => !isBaseVariable(name)).map(({ value }) => value));
  for (const name of expansion.missing) {
    reading.isIncomplete = true;
    report(reading, key, 'warning', `${missingMessage(name)}; until then search goes by keywords alone`);
  }
  return expansion.text;
}

function httpUrl(reading: Reading, key: string, written: string): string {
  const url = expand(reading, key, written);
  if (reading.isIncomplete) return url;
  if (!isHttpUrl(url)) {
    report(reading, key, 'error', 'expected a URL that starts with http:// or https://, got another text');
  } else if (new URL(url).username !== '' || new URL(url).password !== '') {
    report(reading, key, 'error', 'expected a URL without a user name and password; use "apiKey"');
  }
  return url;
}

/** Nobody else reads what goes there. */
function isPrivateTo({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function report(reading: Reading, key: string, severity: ConfigProblem['severity'], message: string): void {
  reading.result.problems.push(problemAt(reading.source, ['embedding', key], { severity, message }));
}
