import { type CatalogReader, type IngestReport, type ServerRecord, steadyNow } from '../model/index.ts';
import type { Connection } from './connection.ts';
import { dueAt } from './freshness.ts';
import type { ParallelStarts } from './parallel-starts.ts';

/** When a server cannot be listed just now, how long until it is looked at again. */
const lookAgainMs = 1_000;

export interface BackgroundRefreshDeps {
  connections: ReadonlyMap<string, Connection>;
  catalog: Pick<CatalogReader, 'servers' | 'generation'>;
  starts: ParallelStarts<IngestReport>;
  /** Of `UpstreamLimits`. */
  listMaxAgeMs: number;
}

/** Fetches the lists that are due, with nobody waiting. Asked at each search, it costs nothing until the next may be due. */
export class BackgroundRefresh {
  readonly #deps: BackgroundRefreshDeps;
  /** 0 after anything happened. */
  #nextLookAt = 0;
  #lookedAtGeneration = -1;

  constructor(deps: BackgroundRefreshDeps) {
    this.#deps = deps;
  }

  run(): void {
    const { connections, catalog } = this.#deps;
    for (const connection of connections.values()) connection.useCredentials();
    const now = steadyNow();
    const generation = catalog.generation();
    if (now < this.#nextLookAt && generation === this.#lookedAtGeneration) return;
    this.#lookedAtGeneration = generation;
    this.#nextLookAt = Number.POSITIVE_INFINITY;
    const records = new Map(catalog.servers().map((record) => [record.id, record]));
    for (const connection of connections.values()) {
      const record = records.get(connection.spec.id);
      const at = this.#lookAt(connection, record, now);
      if (at > now) this.#nextLookAt = Math.min(this.#nextLookAt, at);
      else this.#refresh(connection, record?.listedAt === undefined ? 'first' : 'expired');
    }
  }

  /** Something happened that may change what is due. */
  lookAgain(): void {
    this.#nextLookAt = 0;
  }

  #lookAt(connection: Connection, record: ServerRecord | undefined, now: number): number {
    const { awaitsLogin, isListing, isWatched, watchedUntil, nextTryAt } = connection;
    // Of a login only the user can help; asking again and again would not.
    if (awaitsLogin || isListing || this.#deps.starts.has(connection.spec.id)) return now + lookAgainMs;
    const { listMaxAgeMs: maxAgeMs } = this.#deps;
    const dueInMs = dueAt(record, { isWatched, watchedUntil, maxAgeMs }) - Date.now();
    return Math.max(now + dueInMs, nextTryAt);
  }

  #refresh(connection: Connection, trigger: 'first' | 'expired'): void {
    void this.#deps.starts
      .run(connection.spec.id, () => connection.list(trigger))
      .catch(() => {})
      .finally(() => this.lookAgain());
  }
}
