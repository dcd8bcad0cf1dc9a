import { ingestFingerprint, openCatalog } from '../catalog/index.ts';
import type { ResolvedConfig } from '../config/index.ts';
import type { Embedder, Logger, Tool } from '../model/index.ts';
import type { CatalogCopy } from '../quality/index.ts';
import { createToolAnalyzer, createToolSearcher } from '../search/index.ts';
import { describeHit, type Parts } from './compose.ts';
import { viewingRouter } from './viewing-router.ts';

/** Hits that are looked at. */
const hitsMax = 20;
/** Texts whose vectors are copied or made at once. */
const batch = 256;

/**
 * A copy of the tools in memory, with the vectors that are there already. Nothing in it can be called, and nothing done to it is seen
 * anywhere else. Definitions are taken as they come: what a scan would hold back is just what is tried out in it.
 */
export async function copyCatalog(parts: Parts, config: ResolvedConfig, logger: Logger): Promise<CatalogCopy> {
  const { catalog: live, embedder } = parts;
  const catalog = openCatalog({ path: ':memory:', analyzer: createToolAnalyzer(), naming: config.naming });
  catalog.configure([], config.naming);
  const lists = new Map<string, Tool[]>();
  for (const tool of live.tools()) lists.set(tool.serverId, [...(lists.get(tool.serverId) ?? []), tool]);
  const descriptions = new Map(live.servers().map(({ id, description }) => [id, description]));
  const list = (serverId: string, definitions: readonly unknown[]) => {
    const description = descriptions.get(serverId);
    const meta = { fingerprint: ingestFingerprint, listedAt: Date.now(), trigger: 'ingest' as const };
    catalog.ingest(serverId, definitions, { ...meta, ...(description === undefined ? {} : { description }) });
  };
  const bringUpToDate = async () => {
    catalog.indexPending();
    if (embedder !== undefined) await copyVectors(live, catalog, embedder);
  };
  for (const [serverId, tools] of lists)
    list(
      serverId,
      tools.map(({ definition }) => definition),
    );
  await bringUpToDate();
  const searcher = createToolSearcher({
    catalog,
    keywords: catalog,
    vectors: catalog,
    ...(embedder === undefined ? {} : { embedder }),
    serverStates: () => [],
    describeHit,
    logger,
  });
  const router = viewingRouter({ catalog, searcher, config, mode: parts.router().mode().mode, logger });
  return {
    search: (query) => searcher.search(query, { limit: hitsMax, detail: 'name' }),
    listTools: () => router.listTools(),
    read: (name, args) => router.dispatch(name, args),
    replace: async (tool, definition) => {
      const tools = lists.get(tool.serverId) ?? [];
      list(
        tool.serverId,
        tools.map((one) => (one.key === tool.key ? definition : one.definition)),
      );
      await bringUpToDate();
    },
    close: () => catalog.close(),
  };
}

type Vectors = Pick<Parts['catalog'], 'get' | 'missing' | 'put'>;

/** Vectors of known texts are copied; what is new is embedded. */
async function copyVectors(from: Vectors, to: Vectors, embedder: Embedder): Promise<void> {
  for (let missing = to.missing(embedder.id, batch); missing.length > 0; missing = to.missing(embedder.id, batch)) {
    const known = from.get(
      embedder.id,
      missing.map(({ textHash }) => textHash),
    );
    const unknown = missing.filter(({ textHash }) => !known.has(textHash));
    const made =
      unknown.length === 0
        ? []
        : await embedder.embed(
            unknown.map(({ text }) => text),
            'document',
          );
    for (const [at, { textHash }] of unknown.entries()) {
      const vector = made[at];
      if (vector !== undefined) known.set(textHash, vector);
    }
    to.put(
      embedder.id,
      [...known].map(([textHash, vector]) => ({ textHash, vector })),
    );
  }
}
