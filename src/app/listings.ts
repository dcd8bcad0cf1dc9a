import type { ResolvedConfig } from '../config/index.ts';
import type {
  CatalogReader,
  EraVerdict,
  ServerListing,
  ServerRecord,
  ServerState,
  ToolListing,
  Upstream,
} from '../model/index.ts';
import { asOf } from '../render/index.ts';

/** Every tool with its status, in catalog order; `problemsOnly` leaves out those in order. */
export function listTools(catalog: CatalogReader, options: { problemsOnly?: boolean; server?: string }): ToolListing[] {
  const filter = { includeSetAside: true, ...(options.server === undefined ? {} : { serverId: options.server }) };
  const servers = new Map(catalog.servers().map((server) => [server.id, server]));
  return catalog
    .tools(filter)
    .filter((tool) => !options.problemsOnly || tool.status !== 'ok' || tool.findings !== undefined)
    .map(({ exposedName, serverId, toolName, status, problem, findings }) => ({
      name: exposedName,
      server: serverId,
      tool: toolName,
      status,
      ...(problem === undefined ? {} : { problem }),
      ...(findings === undefined ? {} : { findings }),
      ...asOf(servers.get(serverId)),
    }));
}

/** Every server: configured ones in config order, switched-off ones included, then ingested ones. */
export function listServers(catalog: CatalogReader, upstream: Upstream, config: ResolvedConfig): ServerListing[] {
  const records = new Map(catalog.servers().map((record) => [record.id, record]));
  const states = new Map(upstream.states().map((state) => [state.id, state]));
  const configured = [...config.servers, ...config.disabled]
    .sort((a, b) => a.position - b.position)
    .map(({ id }) => id);
  const ids = new Set([...configured, ...records.keys()]);
  return [...ids].map((id) => toListing(id, records.get(id), states.get(id)));
}

/** A server that is not connected now may have failed in an earlier process. */
function stateOf(record: ServerRecord | undefined, state: ServerState | undefined): ServerListing['state'] {
  const live = state?.state ?? 'idle';
  return live === 'idle' && record?.lastError !== undefined ? 'failed' : live;
}

function eraInWords({ era, protocolVersion, transport }: EraVerdict): string {
  return `${era} ${protocolVersion}${transport === 'sse' ? ' over SSE' : ''}`;
}

function toListing(id: string, record: ServerRecord | undefined, state: ServerState | undefined): ServerListing {
  const problem = state?.error ?? record?.lastError;
  return {
    server: id,
    state: stateOf(record, state),
    tools: record?.toolCount ?? 0,
    ...(record?.listedAt === undefined ? {} : { listedAt: new Date(record.listedAt).toISOString() }),
    stale: record?.stale ?? false,
    ...asOf(record),
    ...(record?.era === undefined ? {} : { era: eraInWords(record.era) }),
    ...(problem === undefined ? {} : { problem }),
  };
}
