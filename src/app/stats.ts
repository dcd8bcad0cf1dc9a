import type { Budget, Router, Stats } from '../model/index.ts';
import { metaTools } from '../router/index.ts';
import type { RecentAnswers } from './recent-answers.ts';
import type { TokenCounterChoice } from './token-counter.ts';

/** The part of the catalog that knows sizes. */
export interface TokenFigures {
  servers(): readonly unknown[];
  definitionTokens(): { serverId: string; tools: number; tokens: number }[];
}

export interface Figures {
  catalog: TokenFigures;
  router: Router;
  counter: Pick<TokenCounterChoice, 'tokenizer' | 'count'>;
  answers: Pick<RecentAnswers, 'texts'>;
  /** Tokens. */
  contextWindow: number;
}

/** An answer of five hits: the median over the queries of the bench, in o200k. */
const usualSearchTokens = 340;
/** The model's own call of `search_tools`. */
const searchCallTokens = 40;

/** Sizes of both lists, what discovery saves, and the mode with its reason. */
export async function measureStats(figures: Figures): Promise<Stats> {
  const { catalog, router } = figures;
  const { definitionTokens, metaToolTokens, breakEvenSearches, tokenizer } = await measureBudget(figures);
  const perServer = catalog.definitionTokens();
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
    tokenizer,
    ...(nextMode === mode ? {} : { nextMode }),
    breakEvenSearches,
    perServer: perServer.map(({ serverId, tools, tokens }) => ({ server: serverId, tools, definitionTokens: tokens })),
  };
}

/** What the tools take of the context, and how many searches cost as much as all definitions. */
export async function measureBudget({ catalog, router, counter, answers, contextWindow }: Figures): Promise<Budget> {
  const definitionTokens = sum(catalog.definitionTokens().map(({ tokens }) => tokens));
  const { mode, thresholdTokens } = router.mode();
  // A direct list is counted already, tool by tool, and may be large.
  const list = mode === 'direct' ? [] : router.listTools();
  const [metaToolTokens = 0, fixedListTokens = 0, ...answerTokens] = await counter.count([
    JSON.stringify(metaTools),
    JSON.stringify(list),
    ...answers.texts,
  ]);
  const listTokens = mode === 'direct' ? definitionTokens : fixedListTokens;
  const isSearchMeasured = answerTokens.length > 0;
  const answer = isSearchMeasured ? Math.ceil(sum(answerTokens) / answerTokens.length) : usualSearchTokens;
  const searchTokens = answer + searchCallTokens;
  // In discovery the list in force has pins as well; in direct mode nobody knows yet which there would be.
  const discoveryTokens = mode === 'discovery' ? listTokens : metaToolTokens;
  return {
    tokenizer: counter.tokenizer,
    contextWindow,
    thresholdTokens,
    definitionTokens,
    metaToolTokens,
    mode,
    listTokens,
    listPercent: (100 * listTokens) / contextWindow,
    searchTokens,
    isSearchMeasured,
    breakEvenSearches: Math.max(0, Math.floor((definitionTokens - discoveryTokens) / searchTokens)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
