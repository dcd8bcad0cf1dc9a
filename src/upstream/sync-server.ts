import {
  type CatalogReader,
  type DisabledServer,
  type IngestReport,
  type SyncReport,
  steadyNow,
} from '../model/index.ts';
import type { Connection } from './connection.ts';
import { peopleMessage } from './faults.ts';
import type { ParallelStarts } from './parallel-starts.ts';

/** Lists a server and says what has changed for those who call its tools. Never rejects. */
export async function syncServer(
  connection: Connection,
  starts: ParallelStarts<IngestReport>,
  catalog: Pick<CatalogReader, 'tools'>,
): Promise<SyncReport> {
  const startedAt = steadyNow();
  const { id } = connection.spec;
  const base = () => ({
    server: id,
    tools: connection.record()?.toolCount ?? 0,
    added: 0,
    changed: 0,
    removed: 0,
    durationMs: steadyNow() - startedAt,
  });
  try {
    const before = callableTools(catalog, id);
    const { added, changed, removed } = await starts.run(id, () => connection.list('sync'));
    const now = callableTools(catalog, id);
    return {
      ...base(),
      state: 'ok',
      added: added.filter((name) => now.has(name)).length,
      changed: changed.filter((name) => now.has(name)).length,
      removed: removed.filter((name) => before.has(name)).length,
    };
  } catch (error) {
    return { ...base(), state: 'failed', error: peopleMessage(error) };
  }
}

/** What a sync says of a server that is not started. */
export function disabledReport(id: string, disabled: readonly DisabledServer[]): SyncReport {
  const problem = disabled.find((server) => server.id === id)?.problem;
  const error = problem === undefined ? {} : { error: problem };
  return { server: id, state: 'disabled', tools: 0, added: 0, changed: 0, removed: 0, durationMs: 0, ...error };
}

/** Names of the tools that `SyncReport.tools` counts: not of those that are set aside or left out by the config. */
export function callableTools(catalog: Pick<CatalogReader, 'tools'>, serverId: string): Set<string> {
  return new Set(catalog.tools({ serverId }).map(({ toolName }) => toolName));
}
