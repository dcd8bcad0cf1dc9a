import { join } from 'node:path';
import type { SetFiles } from './collect.ts';

/**
 * The development halves that are trained on. Large sets give a part of their queries, so that they do not outweigh the
 * others; sets over the same tools are one family.
 */
export function trainingSets(folder: string): SetFiles[] {
  const file = (set: string, name: string) => join(folder, set, name);
  const set = (name: string, maxQueries?: number): SetFiles => ({
    name,
    family: name,
    tools: file(name, 'tools.jsonl.gz'),
    queries: file(name, 'queries.dev.jsonl'),
    ...(maxQueries === undefined ? {} : { maxQueries }),
  });
  return [
    { ...set('real66'), tools: file('real66', 'servers.jsonl.gz') },
    set('livemcpbench'),
    { ...set('livemcp_route'), family: 'livemcpbench', tools: file('livemcpbench', 'tools.jsonl.gz') },
    set('mcpproxy_golden'),
    set('metatool', 600),
    { ...set('metatool_multi', 200), family: 'metatool', tools: file('metatool', 'tools.jsonl.gz') },
    set('bfcl', 600),
    set('toolbench'),
    set('sealtools', 500),
  ];
}

/** The same with all their queries. */
export function wholeSets(folder: string): SetFiles[] {
  return trainingSets(folder).map(({ maxQueries: _, ...files }) => files);
}

/** How much a set counts: real MCP servers first. Within a set, all queries count alike. */
export const setWeights: Readonly<Record<string, number>> = {
  real66: 4,
  livemcpbench: 2.5,
  livemcp_route: 1.5,
  metatool_multi: 0.5,
};
