import type {
  CatalogReader,
  JsonObject,
  SearchDetail,
  SearchHit,
  SearchOptions,
  SearchResult,
  ServerRecord,
  Tool,
} from '../model/index.ts';
import { callLine, capText, cleanText, exampleArguments, fitSchema } from '../render/index.ts';

interface SearchAnswerContext {
  detail: SearchDetail;
  /** The best hit that can be called, as the catalog has it. */
  bestTool?: Tool | undefined;
  /** Its place among the hits, from 1. */
  bestRank?: number;
  servers: readonly ServerRecord[];
  /** The server that was asked for. */
  server?: string | undefined;
}

/** Tokens of the example arguments in the ready call. */
const exampleMaxTokens = 80;
/** Tokens of one schema with detail `schema`; describe_tool shows the rest. */
const schemaMaxTokens = 500;
/** Servers named when nothing matches. */
const serversShown = 20;
const queryShownMaxChars = 80;

/**
 * What the model reads after a search: hits grouped by server, best first, and the call to make; only the latter where the
 * search is repeated, which is asked with the name of the best tool that can be called.
 */
export function searchText(
  result: SearchResult,
  { detail = 'summary', server }: Pick<SearchOptions, 'detail' | 'server'>,
  catalog: Pick<CatalogReader, 'servers' | 'tool'>,
  isRepeated: (bestName: string) => boolean = () => false,
): string {
  const bestIndex = result.hits.findIndex(({ status }) => status === undefined);
  const best = result.hits[bestIndex];
  const answer = best !== undefined && isRepeated(best.name) ? repeatedAnswer : searchAnswer;
  return answer(result, {
    detail,
    server,
    servers: result.hits.length === 0 ? catalog.servers() : [],
    bestTool: best && catalog.tool({ serverId: best.server, toolName: best.tool }),
    bestRank: bestIndex + 1,
  });
}

function searchAnswer(result: SearchResult, context: SearchAnswerContext): string {
  const notes = result.notes
    .filter(({ code }) => code !== 'no_match')
    .map(({ message }) => `Note: ${cleanText(message)}`);
  if (result.hits.length === 0) return [...noHits(result, context), ...notes].join('\n');
  const groups = groupByServer(result.hits).flatMap(([server, hits]) => [
    `Server ${JSON.stringify(cleanText(server))} says:`,
    ...hits.flatMap((hit) => hitLines(hit, context.detail)),
  ]);
  return [...groups, ...bestCall(context), ...notes, ...nextPage(result)].join('\n');
}

/** To a search that the model makes again: the call to make, in place of a list that it has. */
function repeatedAnswer({ hits }: SearchResult, context: SearchAnswerContext): string {
  const { bestRank = 1 } = context;
  const best = hits[bestRank - 1];
  return [
    'You made this search before, and its best match is the same.',
    ...(best === undefined ? [] : hitLines({ ...best, rank: bestRank }, context.detail)),
    ...bestCall(context),
    'If it is not what you need, do not repeat the search: ask for another action or object in other words.',
  ].join('\n');
}

function groupByServer(hits: readonly SearchHit[]): [string, RankedHit[]][] {
  const groups = new Map<string, RankedHit[]>();
  for (const [index, hit] of hits.entries()) {
    const group = groups.get(hit.server);
    const ranked = { ...hit, rank: index + 1 };
    if (group === undefined) groups.set(hit.server, [ranked]);
    else group.push(ranked);
  }
  return [...groups];
}

interface RankedHit extends SearchHit {
  rank: number;
}

function hitLines(hit: RankedHit, detail: SearchDetail): string[] {
  if (detail === 'name') return [`${hit.rank}. ${hit.name}${marks(hit)}`];
  const line = `${hit.rank}. ${hit.signature || hit.name}${hit.summary === '' ? '' : ` - ${hit.summary}`}${marks(hit)}`;
  if (detail === 'summary' || hit.inputSchema === undefined) return [line];
  const { text, collapsed, isShortened } = fitSchema(hit.inputSchema, hit.inputSchema, { maxTokens: schemaMaxTokens });
  const cut = collapsed > 0 || isShortened ? ' (shortened; describe_tool shows more)' : '';
  return [line, `   schema${cut}: ${text}`];
}

/** What the trust rules say of a hit, in our words. */
function marks({ status, findings = [] }: SearchHit): string {
  const held = status === 'changed' ? ' [cannot be called: its definition changed and waits for a person]' : '';
  const [worst] = findings;
  return worst === undefined ? held : `${held} [scan, ${worst.level}: ${worst.reason}]`;
}

function bestCall({ bestTool, bestRank = 1 }: SearchAnswerContext): string[] {
  if (bestTool === undefined) return [];
  const example: JsonObject = exampleArguments(bestTool.inputSchema);
  return [`To run ${bestRank}: ${callLine(bestTool.exposedName, example, exampleMaxTokens)}`];
}

function noHits({ query }: SearchResult, { server, servers }: SearchAnswerContext): string[] {
  const where =
    server === undefined ? '' : ` on server ${JSON.stringify(capText(cleanText(server), queryShownMaxChars))}`;
  const lines = [`No tool found for ${JSON.stringify(capText(cleanText(query), queryShownMaxChars))}${where}.`];
  const withTools = servers.filter(({ toolCount }) => toolCount > 0).map(({ id }) => cleanText(id));
  if (withTools.length === 0) return lines;
  const more = withTools.length > serversShown ? ` and ${withTools.length - serversShown} more` : '';
  return [
    ...lines,
    `Try once more with other words: one action and its object, in English${server === undefined ? '' : ', without server'}. If that finds nothing either, there is no such tool: say so.`,
    `Servers: ${withTools.slice(0, serversShown).join(', ')}${more}.`,
  ];
}

function nextPage({ nextCursor }: SearchResult): string[] {
  return nextCursor === undefined ? [] : [`More: the same search with "cursor":${JSON.stringify(nextCursor)}`];
}
