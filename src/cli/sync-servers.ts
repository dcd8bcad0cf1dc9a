import type { ServerListing, SyncReport, Toolcrib } from '../model/index.ts';
import { plural } from '../render/index.ts';
import type { CliIo } from './io.ts';
import { createProgress, formatSettleProgress, formatSyncReport } from './output/progress.ts';

/**
 * Lists servers with progress, then waits until all is embedded, so that the next search has vectors.
 * Without ids: all of them.
 */
export async function syncServers(toolcrib: Toolcrib, io: CliIo, serverIds?: readonly string[]): Promise<SyncReport[]> {
  const total = serverIds?.length ?? toolcrib.listServers().filter(({ state }) => state !== 'disabled').length;
  const progress = createProgress(io.stderr, `asking ${plural(total, 'server')}`);
  let done = 0;
  try {
    const reports = await toolcrib.sync(serverIds, (report) => {
      if (report.state !== 'disabled') done += 1;
      progress.line(formatSyncReport(report, io.stderr));
      progress.update(`asking servers: ${done} of ${total} done`);
    });
    await toolcrib.settled((settling) => progress.update(formatSettleProgress(settling)));
    return reports;
  } finally {
    progress.stop();
  }
}

/**
 * Fills the catalog for a newcomer: lists the servers that were never asked. Where some are listed already, one that
 * failed before is left to `sync`, so that a dead server delays no command twice.
 */
export async function listNewServers(toolcrib: Toolcrib, io: CliIo): Promise<void> {
  const servers = toolcrib.listServers().filter(({ state }) => state !== 'disabled');
  const unlisted = servers.filter(({ listedAt }) => listedAt === undefined);
  const isEmpty = unlisted.length === servers.length;
  const wanted = unlisted.filter((server) => isEmpty || !hasFailed(server));
  if (wanted.length > 0) {
    await syncServers(
      toolcrib,
      io,
      wanted.map(({ server }) => server),
    );
  }
}

function hasFailed({ state, problem }: ServerListing): boolean {
  return state === 'failed' || problem !== undefined;
}
