import { type IngestReport, isJsonObject, type ListMeta, type Logger, type ServerSpec } from '../model/index.ts';
import type { UpstreamLimits } from './limits.ts';
import { listTools } from './list-tools.ts';
import { headerProblem } from './mirrored-headers.ts';
import type { ServerCatalog } from './server-catalog.ts';
import type { Session } from './session.ts';

export interface ListIntoCatalogOptions {
  spec: ServerSpec;
  catalog: ServerCatalog;
  limits: UpstreamLimits;
  logger: Logger;
  trigger: ListMeta['trigger'];
  /** As of `listTools`. */
  deadline: number;
  signal: AbortSignal;
}

/** Fetches the list of a server's tools and stores it. Throws like `listTools` and `ServerCatalog.ingest`. */
export async function listIntoCatalog(session: Session, options: ListIntoCatalogOptions): Promise<IngestReport> {
  const { spec, catalog, limits, trigger, deadline, signal } = options;
  // The answer is as old as the question.
  const listedAt = Date.now();
  if (session.capabilities.tools === undefined) {
    // A server that declares no tools has none: believed at once, as after a notice.
    return catalog.ingest([], { listedAt, trigger: 'list_changed', isPrivate: false });
  }
  const { rawTools, ttlMs, isPrivate } = await listTools(session, { serverId: spec.id, deadline, limits, signal });
  // The login may have come with this very list.
  catalog.useCredentials();
  const unusable = unusableTools(rawTools, session, options);
  const description = session.client.getInstructions();
  return catalog.ingest(rawTools, {
    listedAt,
    trigger,
    isPrivate,
    ...(description === undefined ? {} : { description }),
    ...(ttlMs === undefined ? {} : { ttlMs }),
    ...(unusable === undefined ? {} : { unusable }),
  });
}

/** Over HTTP a tool whose mirrored headers cannot be made cannot be called (MCP 2026-07-28, "Streamable HTTP"). */
function unusableTools(
  rawTools: readonly unknown[],
  { era }: Session,
  { spec, logger }: ListIntoCatalogOptions,
): ReadonlyMap<number, string> | undefined {
  if (spec.transport.kind !== 'http' || era.era !== 'modern') return undefined;
  const reasons = new Map<number, string>();
  for (const [position, tool] of rawTools.entries()) {
    const reason = headerProblem(tool);
    if (reason === undefined) continue;
    reasons.set(position, `cannot be called over HTTP: ${reason}`);
    const name = isJsonObject(tool) ? tool.name : undefined;
    logger.warn('A tool is set aside, since it cannot be called over HTTP.', { tool: name, reason });
  }
  return reasons.size === 0 ? undefined : reasons;
}
