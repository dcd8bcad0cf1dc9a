import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createToolcrib } from '../../src/index.ts';
import { loadQueries } from '../data/load-queries.ts';
import { loadTools } from '../data/load-tools.ts';
import { percentile } from '../metrics/score.ts';

export interface TokensOptions {
  tools: string;
  queries: string;
}

export interface TokensReport {
  tokenizer: 'o200k_base';
  tools: number;
  n: number;
  /** Every definition listed at once. */
  definitionTokens: number;
  /** The three meta-tools. */
  metaToolTokens: number;
  /** Text of one `search_tools` answer with the default limit of 5. */
  searchAnswer: { p50: number; p95: number; max: number };
  /** Text of one `describe_tool` answer, over every tool. */
  describeAnswer: { p50: number; p95: number; max: number };
  /** Searches after which listing every definition once would have cost less. */
  breakEvenSearches: number;
}

/** What a model pays: the fixed list, each search answer, each description. */
export async function measureTokens(options: TokensOptions): Promise<TokensReport> {
  const toolSet = loadTools(options.tools);
  const crib = createToolcrib({ mode: 'discovery' });
  try {
    for (const { server, tools } of toolSet.servers) crib.ingest(server, tools);
    await crib.settled();
    const stats = await crib.stats();
    const searches: number[] = [];
    const queries = loadQueries(options.queries);
    for (const { query } of queries) searches.push(await answerTokens('search_tools', { query }));
    const descriptions: number[] = [];
    for (const { name } of crib.listTools()) descriptions.push(countTokens(crib.describe(name).text));
    const searchP50 = percentile(searches, 0.5);
    return {
      tokenizer: 'o200k_base',
      tools: toolSet.toolCount,
      n: queries.length,
      definitionTokens: stats.definitionTokens,
      metaToolTokens: stats.metaToolTokens,
      searchAnswer: summary(searches),
      describeAnswer: summary(descriptions),
      breakEvenSearches: Math.floor((stats.definitionTokens - stats.metaToolTokens) / searchP50),
    };
  } finally {
    await crib.close();
  }

  async function answerTokens(name: string, args: object): Promise<number> {
    const { content } = await crib.call(name, args);
    return content.reduce((sum, block) => sum + countTokens(String(block.text ?? '')), 0);
  }
}

function summary(values: number[]): { p50: number; p95: number; max: number } {
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95), max: Math.max(0, ...values) };
}
