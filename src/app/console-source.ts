import type { ResolvedConfig } from '../config/index.ts';
import type { ConsoleSource } from '../console/index.ts';
import type { Toolcrib, ToolName } from '../model/index.ts';
import { tokenizerName } from '../render/index.ts';
import { metaTools, searchText } from '../router/index.ts';
import { refuseCall } from './call-approvals.ts';
import type { Parts } from './compose.ts';
import { refuseDefinition, reviewTool } from './definition-reviews.ts';
import { testPolicy } from './policy-test.ts';
import { version } from './version.ts';

/** What the console shows and does, of one toolcrib. */
export function consoleSource(crib: Toolcrib, parts: Parts, { path }: Pick<ResolvedConfig, 'path'>): ConsoleSource {
  const { catalog, searcher, resultTokens, callPolicy, isTrusted, router } = parts;
  let metaToolTokens: Promise<number> | undefined;
  return {
    version,
    ...(path === undefined ? {} : { configPath: path }),
    crib,
    catalog,
    activity: (since, stretchMs) => catalog.audit.activity(since, stretchMs),
    missedSearches: (limit) => catalog.missedSearches.list(limit),
    mode: () => router().mode(),
    metaTools: async () => {
      metaToolTokens ??= resultTokens.count([JSON.stringify(metaTools)]).then(([count = 0]) => count);
      return { tokenizer: tokenizerName, tokens: await metaToolTokens };
    },
    search: async (query, options) => {
      const result = await searcher.search(query, options);
      return { result, text: searchText(result, options, catalog) };
    },
    refuseCall: (id, extent) => refuseCall(catalog.callApprovals, id, extent),
    refuseDefinition: (tool, hash) => void refuseDefinition(catalog, tool, hash),
    reviews: () =>
      catalog
        .names()
        .filter(isWaiting)
        .map((tool) => reviewTool(catalog, tool)),
    review: (tool) => reviewTool(catalog, tool),
    testPolicy: (tool, isOverHttp) => {
      const deps = { catalog, policy: callPolicy(isOverHttp), tokens: catalog.callerTokens.all(), isTrusted };
      return testPolicy(deps, tool, {});
    },
  };
}

function isWaiting({ status }: ToolName): boolean {
  return status === 'changed' || status === 'quarantined';
}
