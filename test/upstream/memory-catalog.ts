import type {
  CatalogReader,
  CatalogWriter,
  EraVerdict,
  IngestReport,
  JsonObject,
  ListMeta,
  ServerRecord,
  Tool,
  ToolId,
} from '../../src/model/index.ts';

interface Row extends ServerRecord {
  tools: Map<string, string>;
  raw: readonly unknown[];
  lists: ListMeta[];
  failures: string[];
  verdicts: EraVerdict[];
}

/** What the upstream side needs of the catalog, in memory, with everything it was told kept for the tests. */
export class MemoryCatalog implements CatalogWriter, Pick<CatalogReader, 'servers' | 'generation' | 'tool' | 'tools'> {
  readonly rows = new Map<string, Row>();
  #generation = 0;

  generation(): number {
    return this.#generation;
  }

  servers(): ServerRecord[] {
    return [...this.rows.values()];
  }

  tool({ serverId, toolName }: ToolId): Tool | undefined {
    return this.tools({ serverId }).find((tool) => tool.toolName === toolName);
  }

  /** All that was listed: nothing is repaired or set aside here. */
  tools({ serverId = '' }: { serverId?: string } = {}): Tool[] {
    const listed = [...(this.rows.get(serverId)?.tools ?? [])];
    return listed.map(([toolName, definition], position) => ({
      serverId,
      toolName,
      key: position,
      exposedName: toolName,
      position,
      status: 'ok',
      hash: '',
      definition: JSON.parse(definition) ?? {},
      inputSchema: JSON.parse(definition)?.inputSchema ?? {},
    }));
  }

  row(id: string): Row {
    const known = this.rows.get(id);
    if (known !== undefined) return known;
    const row: Row = {
      id,
      position: this.rows.size,
      fingerprint: '',
      stale: false,
      toolCount: 0,
      tools: new Map(),
      raw: [],
      lists: [],
      failures: [],
      verdicts: [],
    };
    this.rows.set(id, row);
    return row;
  }

  names(id: string): string[] {
    return this.row(id).raw.map((tool) => String((tool as JsonObject | null)?.name));
  }

  async prepare(): Promise<void> {}

  ingest(id: string, rawTools: readonly unknown[], meta: ListMeta): IngestReport {
    const row = this.row(id);
    row.lists.push(meta);
    const usable = rawTools.filter((_, position) => meta.unusable?.has(position) !== true);
    const next = new Map(usable.map((tool) => [String((tool as JsonObject | null)?.name), JSON.stringify(tool)]));
    const isBelieved = next.size > 0 || row.tools.size === 0 || meta.trigger === 'list_changed';
    if (!isBelieved) return report(id, { accepted: false });
    const added = [...next.keys()].filter((name) => !row.tools.has(name));
    const removed = [...row.tools.keys()].filter((name) => !next.has(name));
    const changed = [...next]
      .filter(([name, text]) => row.tools.has(name) && row.tools.get(name) !== text)
      .map(([n]) => n);
    Object.assign(row, { tools: next, raw: rawTools, toolCount: next.size, listedAt: meta.listedAt, stale: false });
    if (meta.ttlMs === undefined) delete row.ttlMs;
    else row.ttlMs = meta.ttlMs;
    this.#generation += 1;
    return report(id, { added, changed, removed, unchanged: next.size - added.length - changed.length });
  }

  markFailed(id: string, _fingerprint: string, error: string): void {
    const row = this.row(id);
    Object.assign(row, { stale: row.listedAt !== undefined, lastError: error });
    row.failures.push(error);
    this.#generation += 1;
  }

  /** Which partition was asked for, by server. */
  readonly credentials = new Map<string, string>();

  useCredentials(id: string, partition: string): void {
    this.credentials.set(id, partition);
  }

  recordEra(id: string, _fingerprint: string, verdict: EraVerdict): void {
    const row = this.row(id);
    row.era = verdict;
    row.verdicts.push(verdict);
  }
}

function report(serverId: string, part: Partial<IngestReport>): IngestReport {
  return {
    serverId,
    accepted: true,
    added: [],
    changed: [],
    removed: [],
    unchanged: 0,
    repaired: 0,
    setAside: 0,
    ...part,
  };
}
