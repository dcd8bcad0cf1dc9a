import type { SearchArm, SearchHit, ServerListing, ToolName } from '../../model/index.ts';
import type { Asked } from '../request.ts';
import type { Why } from '../shapes.ts';
import type { ConsoleSource } from '../source.ts';
import { findTool } from './tool.ts';

/** The most that one page of a search holds. */
const pageSize = 20;
/** Rankings hold some sixty tools. */
const pagesMax = 5;
/** What a model sees that names no limit. */
const shownByDefault = 5;
/** A part counts as lacking when the best hit leads in it by this share of its whole lead. */
const tellingShare = 0.2;

/** `GET api/why?query=&tool=`: where an expected tool stands for a query, against the best hit, and why. */
export async function why(source: ConsoleSource, asked: Asked): Promise<Why> {
  const query = asked.text('query');
  const tool = findTool(source.catalog, asked.text('tool'));
  const [hybrid, lexical, embedding] = await Promise.all([
    place(source, query, tool, { arm: 'hybrid' }),
    place(source, query, tool, { arm: 'lexical' }),
    place(source, query, tool, { arm: 'embedding' }),
  ]);
  const own = hybrid.hit ?? (await place(source, query, tool, { arm: 'hybrid', server: tool.serverId })).hit;
  const { best } = hybrid;
  return {
    query,
    name: tool.exposedName,
    server: tool.serverId,
    status: tool.status,
    reasons: [...standing(source, tool), ...placing(hybrid, own), ...comparison(own, best)],
    ranks: { ...rank('hybrid', hybrid), ...rank('lexical', lexical), ...rank('embedding', embedding) },
    ...(own === undefined ? {} : { hit: own }),
    ...(best === undefined ? {} : { best }),
  };
}

interface Place {
  /** From 1. */
  rank?: number;
  hit?: SearchHit;
  best?: SearchHit;
  /** Tools that were looked at. */
  looked: number;
}

async function place(
  source: ConsoleSource,
  query: string,
  tool: ToolName,
  options: { arm: SearchArm; server?: string },
): Promise<Place> {
  let looked = 0;
  let best: SearchHit | undefined;
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const { result } = await source.search(query, {
      ...options,
      explain: true,
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    });
    best ??= result.hits[0];
    const index = result.hits.findIndex(({ name }) => name === tool.exposedName);
    const found = { looked, ...(best === undefined ? {} : { best }) };
    const hit = result.hits[index];
    if (hit !== undefined) return { ...found, rank: looked + index + 1, hit };
    looked += result.hits.length;
    cursor = result.nextCursor;
    if (cursor === undefined) break;
  }
  return { looked, ...(best === undefined ? {} : { best }) };
}

function rank<Arm extends string>(arm: Arm, { rank: found }: Place): Partial<Record<Arm, number>> {
  return found === undefined ? {} : ({ [arm]: found } as Record<Arm, number>);
}

/** Why a tool is not shown whatever is asked for. */
function standing({ crib, catalog }: ConsoleSource, tool: ToolName): string[] {
  const problem = catalog.tool(tool)?.problem;
  const because = problem === undefined ? '' : `: ${problem}`;
  const server = crib.listServers().find((listing) => listing.server === tool.serverId);
  return [...inWords(tool, because), ...serverReasons(server)];
}

function inWords({ status }: ToolName, because: string): string[] {
  switch (status) {
    case 'set_aside':
      return [`It is set aside, so no search finds it${because}.`];
    case 'quarantined':
      return [`Its definition waits for a person, so no search finds it${because}.`];
    case 'changed':
      return [`Its server changed the definition: the accepted one is found, and is not called${because}.`];
    default:
      return [];
  }
}

function serverReasons(server: ServerListing | undefined): string[] {
  if (server?.state === 'disabled')
    return [`Its server is switched off${server.problem ? `: ${server.problem}` : ''}.`];
  if (server?.stale)
    return [`Its server's last list failed; the tools are those of ${server.asOf ?? 'an earlier one'}.`];
  return [];
}

function placing({ rank: found, looked }: Place, own: SearchHit | undefined): string[] {
  if (found !== undefined && found <= shownByDefault) return [`It is shown: place ${found}.`];
  if (found !== undefined)
    return [`It is place ${found}; a model that names no limit sees the first ${shownByDefault}.`];
  if (own !== undefined && looked > 0) {
    return [
      `It is not among the ${looked} tools that fit best and are ranked; these are its parts among its server's tools.`,
    ];
  }
  return looked === 0
    ? ['Nothing in the catalog comes near this query.']
    : [`It is not among the ${looked} tools that are ranked.`];
}

/** The parts in which the best hit leads most. */
function comparison(own: SearchHit | undefined, best: SearchHit | undefined): string[] {
  if (own?.explain === undefined || best?.explain === undefined || own.name === best.name) return [];
  const { explain } = own;
  const leads = Object.entries(best.explain).map(([part, value]) => ({ part, lead: value - (explain[part] ?? 0) }));
  const total = leads.reduce((sum, { lead }) => sum + Math.max(0, lead), 0);
  const telling = leads.filter(({ lead }) => lead > 0 && lead >= tellingShare * total).sort((a, b) => b.lead - a.lead);
  if (telling.length === 0) return [];
  return [`${best.name} leads by ${telling.map(({ part }) => partInWords[part] ?? part).join(', ')}.`];
}

const partInWords: Record<string, string> = {
  meaning: 'meaning',
  nameMeaning: 'the meaning of its name',
  clauses: 'parts of the query',
  keywords: 'shared words',
  coverage: 'how many of the words it holds',
  synonyms: 'words of like meaning',
  nameFit: 'how well its name fits',
  server: 'its server',
  action: 'the action that is asked for',
  values: 'values that it takes',
  name: 'being named in the query',
};
