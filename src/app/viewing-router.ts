import type { Catalog } from '../catalog/index.ts';
import type { ResolvedConfig } from '../config/index.ts';
import { ToolcribError } from '../errors/index.ts';
import type { Logger, ModeDecision, ResourceReader, Router, ToolCaller, ToolSearcher } from '../model/index.ts';
import { createRouter } from '../router/index.ts';

export interface ViewingDeps {
  catalog: Catalog;
  searcher: ToolSearcher;
  config: ResolvedConfig;
  mode: ModeDecision['mode'];
  logger: Logger;
}

/** What a model would see of a catalog in a mode. It records nothing, and calls nothing, whoever asks. */
export function viewingRouter({ catalog, searcher, config, mode, logger }: ViewingDeps): Router {
  return createRouter({
    catalog,
    approvals: catalog.callApprovals,
    searcher,
    caller: nobody,
    resources: nobody,
    serverStates: () => [],
    modeSettings: { ...config, mode },
    logger,
  });
}

const nobody: ToolCaller & ResourceReader = {
  call: async () => refuse(),
  readResource: async () => refuse(),
  abandon: () => undefined,
};

function refuse(): never {
  throw new ToolcribError('denied', 'Nothing is called from where a catalog is only looked at.');
}
