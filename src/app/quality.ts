import type { ResolvedConfig } from '../config/index.ts';
import { ToolcribError } from '../errors/index.ts';
import type { CatalogQuality, CatalogReader } from '../model/index.ts';
import type { Parts } from './compose.ts';

/** What tool owners ask for, on the live catalog. The folder is loaded at first use: no model's request needs it. */
export function catalogQuality({ catalog }: Parts, { naming }: ResolvedConfig): CatalogQuality {
  return {
    lint: async ({ server } = {}) => {
      const { lintCatalog } = await import('../quality/index.ts');
      checkServer(catalog, server);
      return lintCatalog(catalog, { nameMaxLength: naming.nameMaxLength, ...(server === undefined ? {} : { server }) });
    },
  };
}

function checkServer(catalog: CatalogReader, server: string | undefined): void {
  if (server === undefined || catalog.servers().some(({ id }) => id === server)) return;
  throw new ToolcribError('server_unknown', `There is no server ${JSON.stringify(server)} in the catalog.`);
}
