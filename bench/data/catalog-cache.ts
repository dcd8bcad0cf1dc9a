import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryFolder } from './bench-data.ts';

/** A catalog file for one tools file, shared by the product's arms. */
export interface CatalogFile {
  path: string;
  /** Deletes it, unless it is kept for the next run. */
  release(): void;
}

/**
 * With the cache, the file is `bench/.cache/<hash of the tools file>-<hash of the analyser>.sqlite`, ingested and embedded
 * already if an earlier run got that far. A change to either makes a new file, and the old ones of the same tools file go.
 */
export function openCatalogFile(toolsFile: string, useCache: boolean): CatalogFile {
  if (!useCache) {
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-bench-'));
    return { path: join(folder, 'catalog.sqlite'), release: () => rmSync(folder, { recursive: true, force: true }) };
  }
  mkdirSync(cacheFolder, { recursive: true });
  const tools = digest([toolsFile]);
  const path = join(cacheFolder, `${tools}-${digest(analyzerFiles())}.sqlite`);
  if (!existsSync(path)) removeOthers(tools);
  return { path, release: () => undefined };
}

const cacheFolder = join(repositoryFolder, 'bench/.cache');

/**
 * Sources and data that decide what ingest stores of a tool. The catalog re-indexes by itself when the analyser's id
 * changes; this also catches a change that forgot to change the id.
 */
function analyzerFiles(): string[] {
  const text = join(repositoryFolder, 'src/search/text');
  const catalog = join(repositoryFolder, 'src/catalog');
  return [
    ...filesIn(text),
    ...filesIn(join(catalog, 'migrations')),
    ...filesIn(catalog).filter((file) => /repair|hash|text-index/u.test(file)),
  ];
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name))
    .sort();
}

function digest(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

function removeOthers(tools: string): void {
  for (const name of readdirSync(cacheFolder)) {
    if (name.startsWith(`${tools}-`)) rmSync(join(cacheFolder, name), { force: true });
  }
}
