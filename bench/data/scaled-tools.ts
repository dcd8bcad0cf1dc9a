import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { benchDataFolder, ownSet } from './bench-data.ts';
import { loadTools, type ServerTools } from './load-tools.ts';
import { varyTool } from './vary-tool.ts';

type RawTool = Record<string, unknown>;

interface Placed {
  server: string;
  tool: RawTool;
}

/** Real definitions first, then those of the other sets, largest real catalogs before synthetic ones. */
const sources = [
  'real66/servers.jsonl.gz',
  'catalog_toucan/tools.jsonl.gz',
  'catalog_docker/tools.jsonl.gz',
  'livemcpbench/tools.jsonl.gz',
  'toolbench/tools.jsonl.gz',
  'sealtools/tools.jsonl.gz',
];

/**
 * Exactly `count` tools, no two with one name on one server, the same ones each time: those of the labelled sets (or, where
 * they are absent, of `bench/own`), then variations of them, in rounds, each round on servers of its own.
 */
export function scaledTools(count: number, base: readonly ServerTools[] = baseServers()): ServerTools[] {
  const originals = base.flatMap(({ server, tools }) => tools.map((tool): Placed => ({ server, tool })));
  if (originals.length === 0) return [];
  const taken = new ServerLists();
  for (let index = 0; taken.count < count; index++) {
    const round = Math.floor(index / originals.length);
    const { server, tool } = originals[index % originals.length] as Placed;
    if (round === 0) {
      taken.add(server, tool);
      continue;
    }
    // Rounds are coprime steps through the originals, so that each round pairs a tool with another donor.
    const donor = originals[(index * donorStep + round) % originals.length] as Placed;
    taken.add(`${server} ${round + 1}`, varyTool(tool, donor.tool));
  }
  return taken.lists();
}

const donorStep = 7_919;

/** The servers of the labelled sets where they are present, else of the repository's own set. */
function baseServers(): ServerTools[] {
  const files = sources.map((source) => resolve(benchDataFolder(), source)).filter(existsSync);
  return (files.length > 0 ? files : [ownSet().tools]).flatMap((file) => loadTools(file).servers);
}

/** Tools by server, names unique within each. */
class ServerLists {
  readonly #lists = new Map<string, Map<string, RawTool>>();
  count = 0;

  add(server: string, tool: RawTool): void {
    const list = this.#lists.get(server) ?? new Map<string, RawTool>();
    this.#lists.set(server, list);
    const name = freeName(list, String(tool.name));
    list.set(name, { ...tool, name });
    this.count += 1;
  }

  lists(): ServerTools[] {
    return [...this.#lists].map(([server, tools]) => ({ server, tools: [...tools.values()] }));
  }
}

function freeName(taken: ReadonlyMap<string, unknown>, name: string): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) {
    if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
  }
}
