import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Catalog, type CatalogOptions, openCatalog } from '../../src/catalog/index.ts';
import type { JsonObject, KeywordColumn, ListMeta, ToolAnalyzer } from '../../src/model/index.ts';

/** A folder that is gone when the test ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolcrib-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const temporaryPath = () => join(temporaryFolder(), 'catalog.db');

/** An analyser simple enough to foretell its tokens: words in lower case, one text a tool. */
export const wordAnalyzer: ToolAnalyzer = {
  id: 'words/1',
  analyze: ({ serverId, toolName, title = '', description = '', inputSchema, serverDescription = '' }) => ({
    keywords: {
      name: words(toolName),
      title: words(title),
      description: words(description),
      parameters: words(Object.keys((inputSchema.properties ?? {}) as JsonObject).join(' ')),
      server: words(`${serverId} ${serverDescription}`),
    },
    profile: new TextEncoder().encode(toolName),
    embeddingTexts: [description],
  }),
};

function words(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join(' ');
}

/** A catalog that is closed when the test ends; in memory unless a path is given. */
export function open(options: Partial<CatalogOptions> = {}): Catalog {
  const catalog = openCatalog({ path: ':memory:', analyzer: wordAnalyzer, ...options });
  onTestFinished(() => catalog.close());
  return catalog;
}

export const fingerprint = 'f1';

/** What comes with a list of a configured server. */
export const meta = (change: Partial<ListMeta> = {}): ListMeta => ({
  fingerprint,
  listedAt: 1_000,
  trigger: 'sync',
  ...change,
});

export const wanted = (id: string, position = 0) => ({ id, fingerprint, position });

/** A definition in order, as a server would send it. */
export const rawTool = (name: string, change: JsonObject = {}): JsonObject => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  ...change,
});

export const rawTools = (...names: string[]) => names.map((name) => rawTool(name));

export const toolNames = (catalog: Catalog, filter?: Parameters<Catalog['tools']>[0]) =>
  catalog.tools(filter).map(({ toolName }) => toolName);

export const evenWeights: Record<KeywordColumn, number> = {
  name: 1,
  title: 1,
  description: 1,
  parameters: 1,
  server: 1,
};

/** The raw names of what a search finds, best first. */
export function found(
  catalog: Catalog,
  terms: readonly string[],
  change: Partial<Parameters<Catalog['search']>[0]> = {},
): string[] {
  const matches = catalog.search({ terms, weights: evenWeights, limit: 20, ...change });
  return catalog.toolsByKeys(matches.map(({ toolKey }) => toolKey)).map(({ toolName }) => toolName);
}

/** A unit vector along one axis. */
export function axis(index: number, dimensions = 4): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[index] = 1;
  return vector;
}

/** Gives every missing text a vector; says how many there were. */
export function embedAll(catalog: Catalog, modelId = 'm'): number {
  const texts = catalog.missing(modelId, 1_000_000);
  catalog.put(
    modelId,
    texts.map(({ textHash }, index) => ({ textHash, vector: axis(index % 4) })),
  );
  return texts.length;
}
