import { basename, dirname } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createToolcrib, type Toolcrib } from 'toolcrib';
import { defaultSet } from '../data/bench-data.ts';
import { BenchError } from '../data/bench-error.ts';
import { loadQueries } from '../data/load-queries.ts';
import { loadTools } from '../data/load-tools.ts';
import { mean, percentile } from '../metrics/score.ts';

export interface TokensOptions {
  /** Default: real66 where the labelled sets are present, else the repository's own set. Both or none. */
  tools?: string;
  queries?: string;
}

interface Spread {
  p50: number;
  p95: number;
  max: number;
}

/** What a model reads and writes, in o200k tokens. A tool's result is the same either way and counted nowhere. */
export interface TokensReport {
  tokenizer: 'o200k_base';
  set: string;
  tools: number;
  n: number;
  /** Every definition listed at once. */
  definitionTokens: number;
  /** The three meta-tools. */
  metaToolTokens: number;
  /** Text of one `search_tools` answer with the default limit of 5. */
  searchAnswer: Spread;
  /** Text of one `describe_tool` answer, over every tool. */
  describeAnswer: Spread;
  /**
   * One whole find-and-call: the meta-tools, the arguments of `search_tools`, its answer, and the arguments of `call_tool`
   * as the answer's "To run 1" line gives them (those of an answer without that line: none).
   */
  episode: Spread;
  /** The same with a look at the best hit in between: the arguments of `describe_tool` and its answer. */
  episodeWithDescribe: Spread;
  /** The same job with every definition listed: the definitions and the arguments of the call. */
  listingEpisode: Spread;
  /** Share of the listing's tokens that an episode saves on average, 0–100. */
  episodeSavedPercent: number;
  /** Searches after which listing every definition once would have cost less; 0: listing is cheaper from the start. */
  breakEvenSearches: number;
}

/** What a model pays: the fixed list, each search answer, each description, and whole episodes of them. */
export async function measureTokens(options: TokensOptions): Promise<TokensReport> {
  const files = setFiles(options);
  const toolSet = loadTools(files.tools);
  const queries = loadQueries(files.queries);
  const crib = createToolcrib({ mode: 'discovery' });
  try {
    for (const { server, tools, ...about } of toolSet.servers) crib.ingest(server, tools, about);
    await crib.settled();
    const { definitionTokens, metaToolTokens } = await crib.stats();
    const episodes: Episode[] = [];
    for (const { query } of queries) episodes.push(await measureEpisode(crib, query));
    const searches = episodes.map(({ answer }) => answer);
    const whole = episodes.map((episode) => metaToolTokens + findAndCall(episode));
    const listed = episodes.map(({ directCall }) => definitionTokens + directCall);
    return {
      tokenizer: 'o200k_base',
      set: basename(dirname(files.queries)),
      tools: toolSet.toolCount,
      n: queries.length,
      definitionTokens,
      metaToolTokens,
      searchAnswer: spread(searches),
      describeAnswer: spread(crib.listTools().map(({ name }) => countTokens(crib.describe(name).text))),
      episode: spread(whole),
      episodeWithDescribe: spread(episodes.map((episode, index) => (whole[index] ?? 0) + episode.describe)),
      listingEpisode: spread(listed),
      episodeSavedPercent: Math.round(1000 * (1 - mean(whole) / Math.max(1, mean(listed)))) / 10,
      breakEvenSearches: Math.max(0, Math.floor((definitionTokens - metaToolTokens) / percentile(searches, 0.5))),
    };
  } finally {
    await crib.close();
  }
}

function setFiles({ tools, queries }: TokensOptions): { tools: string; queries: string } {
  if (tools !== undefined && queries !== undefined) return { tools, queries };
  if (tools === undefined && queries === undefined) return defaultSet();
  throw new BenchError('Give both --tools and --queries, or neither.');
}

/** Tokens of the parts of one find-and-call. */
interface Episode {
  search: number;
  answer: number;
  call: number;
  /** Asking for the best hit's description and reading it. */
  describe: number;
  /** The arguments alone, with the name, as a model calls a tool that it has in its list. */
  directCall: number;
}

/** The line of a search answer that says how to run the best hit. */
const readyCall = /^To run 1: call_tool (\{.*\})$/mu;

async function measureEpisode(crib: Toolcrib, query: string): Promise<Episode> {
  const { content } = await crib.call('search_tools', { query });
  const text = content.map((block) => String(block.text ?? '')).join('\n');
  const call = readyCall.exec(text)?.[1] ?? '';
  const name = /^\{"name":"([^"]+)"/u.exec(call)?.[1];
  const described = name === undefined ? '' : `${JSON.stringify({ name })}${crib.describe(name).text}`;
  return {
    search: countTokens(JSON.stringify({ query })),
    answer: countTokens(text),
    call: countTokens(call),
    describe: countTokens(described),
    directCall: countTokens(call.replace(/^\{"name":("[^"]+"),"arguments":/u, '$1 ')),
  };
}

function findAndCall({ search, answer, call }: Episode): number {
  return search + answer + call;
}

function spread(values: number[]): Spread {
  return {
    p50: percentile(values, 0.5),
    p95: percentile(values, 0.95),
    max: values.reduce((a, b) => Math.max(a, b), 0),
  };
}
