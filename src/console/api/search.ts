import type { SearchArm, SearchOptions, ToolName } from '../../model/index.ts';
import type { Asked } from '../request.ts';
import type { SearchView, ToolLine, ToolList } from '../shapes.ts';
import type { ConsoleSource } from '../source.ts';

const completionsShown = 8;
const toolsShown = 100;

/** `GET api/search?query=&arm=&server=&limit=`: as a model would get it, with the parts of each score. */
export async function search(source: ConsoleSource, asked: Asked): Promise<SearchView> {
  const start = performance.now();
  const found = await source.search(asked.text('query'), searchOptions(asked));
  return { ...found, tookMs: performance.now() - start };
}

function searchOptions(asked: Asked): SearchOptions {
  const arm = asked.optional('arm');
  const server = asked.optional('server');
  const limit = asked.number('limit');
  return {
    explain: true,
    // An arm that there is not is refused by the search itself.
    ...(arm === undefined ? {} : { arm: arm as SearchArm }),
    ...(server === undefined ? {} : { server }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** `GET api/complete?prefix=`: names that begin like this. */
export async function complete({ crib }: ConsoleSource, asked: Asked): Promise<Omit<ToolLine, 'status'>[]> {
  return crib.complete(asked.text('prefix'), completionsShown);
}

/** `GET api/tools?text=&server=&problems=`: the first tools whose name holds the text. */
export function tools({ catalog }: ConsoleSource, asked: Asked): ToolList {
  const text = asked.optional('text')?.toLowerCase() ?? '';
  const server = asked.optional('server');
  const isWanted = ({ exposedName, serverId, status }: ToolName) =>
    (server === undefined || serverId === server) &&
    (!asked.flag('problems') || status !== 'ok') &&
    exposedName.toLowerCase().includes(text);
  const found = catalog.names().filter(isWanted);
  return { tools: found.slice(0, toolsShown).map(toLine), total: found.length };
}

function toLine({ exposedName, serverId, toolName, status }: ToolName): ToolLine {
  return { name: exposedName, server: serverId, tool: toolName, status };
}
