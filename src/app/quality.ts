import type { ResolvedConfig } from '../config/index.ts';
import { ToolcribError } from '../errors/index.ts';
import type { CatalogQuality, CatalogReader, CollisionOptions } from '../model/index.ts';
import type { Parts } from './compose.ts';

/** What tool owners ask for, on the live catalog. The folder is loaded at first use: no model's request needs it. */
export function catalogQuality(parts: Parts, { naming }: ResolvedConfig): CatalogQuality {
  const { catalog } = parts;
  return {
    lint: async ({ server } = {}) => {
      const { lintCatalog } = await import('../quality/index.ts');
      checkServer(catalog, server);
      return lintCatalog(catalog, { nameMaxLength: naming.nameMaxLength, ...(server === undefined ? {} : { server }) });
    },
    collisions: async (options = {}) => collisions(parts, options),
    draftTasks: async ({ format = 'yaml', ...options } = {}) => {
      const { draftTasks } = await import('../quality/index.ts');
      return draftTasks(await collisions(parts, options), catalog, format);
    },
  };
}

async function collisions({ catalog, embedder }: Parts, options: CollisionOptions) {
  const { findCollisions } = await import('../quality/index.ts');
  checkServer(catalog, options.server);
  const vectors = embedder === undefined ? {} : { vectors: { store: catalog, modelId: embedder.id } };
  return findCollisions({ catalog, ...vectors }, options);
}

function checkServer(catalog: CatalogReader, server: string | undefined): void {
  if (server === undefined || catalog.servers().some(({ id }) => id === server)) return;
  throw new ToolcribError('server_unknown', `There is no server ${JSON.stringify(server)} in the catalog.`);
}
