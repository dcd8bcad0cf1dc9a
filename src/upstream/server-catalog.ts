import { isToolcribError, messageOf, ToolcribError } from '../errors/index.ts';
import type {
  CatalogReader,
  CatalogWriter,
  EraVerdict,
  IngestReport,
  ListMeta,
  Logger,
  ServerRecord,
  ServerSpec,
  Tool,
} from '../model/index.ts';
import type { ServerAuth } from './auth/server-auth.ts';
import { partitionOf } from './partition.ts';

/** A verdict that did not change is written again after a day, so that its date stays of use. */
const verdictRewriteMs = 24 * 3_600_000;

export interface ServerCatalogDeps {
  catalog: Pick<CatalogReader, 'servers' | 'tool' | 'tools'> & CatalogWriter;
  logger: Logger;
  /** The login to the server, where it may have one. */
  auth?: ServerAuth;
}

/**
 * What the catalog holds of one server, under the credentials in use. But for a list, what cannot be written is logged: it is
 * not worth losing a connection over.
 */
export class ServerCatalog {
  readonly #spec: ServerSpec;
  readonly #deps: ServerCatalogDeps;
  #partition: string;
  #loginId: string | undefined;

  constructor(spec: ServerSpec, deps: ServerCatalogDeps) {
    this.#spec = spec;
    this.#deps = deps;
    this.#loginId = deps.auth?.loginId;
    this.#partition = this.#choosePartition();
  }

  /** Undefined before the server was ever listed. */
  record(): ServerRecord | undefined {
    return this.#deps.catalog.servers().find((server) => server.id === this.#spec.id);
  }

  statusOf(toolName: string): Tool['status'] | undefined {
    return this.#deps.catalog.tool({ serverId: this.#spec.id, toolName })?.status;
  }

  /** Undefined for a tool that is not listed, or set aside. */
  listedTool(toolName: string): Tool | undefined {
    return this.#deps.catalog.tools({ serverId: this.#spec.id }).find((tool) => tool.toolName === toolName);
  }

  /** Has private lists of these credentials read, and of no others. To be called whenever another login may be in use. */
  useCredentials(): void {
    const loginId = this.#deps.auth?.loginId;
    if (loginId === this.#loginId) return;
    this.#loginId = loginId;
    this.#partition = this.#choosePartition();
  }

  /** Stores a list; a private one for the credentials in use alone. Throws `internal` where it cannot be stored. */
  async ingest(
    rawTools: readonly unknown[],
    { isPrivate, ...meta }: Omit<ListMeta, 'fingerprint' | 'partition'> & { isPrivate: boolean },
  ): Promise<IngestReport> {
    const { id, fingerprint } = this.#spec;
    // Of the credentials that the list was fetched with: others may be in use by the time it is read.
    const partition = isPrivate ? { partition: this.#partition } : {};
    try {
      await this.#deps.catalog.prepare(id, rawTools);
      return this.#deps.catalog.ingest(id, rawTools, { fingerprint, ...meta, ...partition });
    } catch (error) {
      if (isToolcribError(error)) throw error;
      throw new ToolcribError('internal', `The tools of server "${id}" could not be stored.`, {
        details: { server: id, reason: `(${messageOf(error)})` },
        cause: error,
      });
    }
  }

  /** The server could not be listed; its last good list stays. */
  markFailed(reason: string): void {
    this.#write((catalog) => catalog.markFailed(this.#spec.id, this.#spec.fingerprint, reason));
  }

  /** Keeps what was found out about the server's protocol, so that the next process need not ask. */
  recordEra(era: EraVerdict): void {
    const known = this.record()?.era;
    const isKept =
      known?.era === era.era &&
      known.protocolVersion === era.protocolVersion &&
      known.transport === era.transport &&
      era.decidedAt - known.decidedAt < verdictRewriteMs;
    if (!isKept) this.#write((catalog) => catalog.recordEra(this.#spec.id, this.#spec.fingerprint, era));
  }

  #choosePartition(): string {
    const partition = partitionOf(this.#spec.transport, this.#loginId);
    this.#write((catalog) => catalog.useCredentials(this.#spec.id, partition));
    return partition;
  }

  #write(write: (catalog: CatalogWriter) => void): void {
    try {
      write(this.#deps.catalog);
    } catch (error) {
      this.#deps.logger.error('The catalog could not be written.', { error: messageOf(error) });
    }
  }
}
