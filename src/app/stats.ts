import type { Router, Stats } from '../model/index.ts';
import { loadTokenCounter, tokenizerName } from '../render/index.ts';
import { metaTools } from '../router/index.ts';

/** The part of the catalog that knows sizes. */
export interface TokenFigures {
  servers(): readonly unknown[];
  definitionTokens(): { serverId: string; tools: number; tokens: number }[];
}

/** Sizes of both lists, what discovery saves, and the mode with its reason. */
export async function measureStats(catalog: TokenFigures, router: Router): Promise<Stats> {
  const perServer = catalog.definitionTokens();
  const definitionTokens = sum(perServer.map(({ tokens }) => tokens));
  const count = await loadTokenCounter();
  const metaToolTokens = count(JSON.stringify(metaTools));
  const { mode, reason } = router.mode();
  const { mode: nextMode } = router.nextMode();
  return {
    servers: catalog.servers().length,
    tools: sum(perServer.map(({ tools }) => tools)),
    definitionTokens,
    metaToolTokens,
    savedPercent: definitionTokens === 0 ? 0 : Math.max(0, 100 * (1 - metaToolTokens / definitionTokens)),
    mode,
    modeReason: reason,
    tokenizer: tokenizerName,
    ...(nextMode === mode ? {} : { nextMode }),
    perServer: perServer.map(({ serverId, tools, tokens }) => ({ server: serverId, tools, definitionTokens: tokens })),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
