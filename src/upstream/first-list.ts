import { setTimeout as delay } from 'node:timers/promises';
import { ToolcribError } from '../errors/index.ts';
import { abortable, type Tool } from '../model/index.ts';
import { cancelled } from './call-tool.ts';
import type { ServerCatalog } from './server-catalog.ts';

/** So long the first call on a new connection waits for the list that says whether its tool is still the same. */
const maxWaitMs = 2_000;

/** The first list of a new connection, which calls wait for: what changed while nobody was connected came without a notice. */
export class FirstList {
  readonly #serverId: string;
  readonly #catalog: ServerCatalog;
  /** Never rejects. */
  #underWay: Promise<void> | undefined;

  constructor(serverId: string, catalog: ServerCatalog) {
    this.#serverId = serverId;
    this.#catalog = catalog;
  }

  began(list: Promise<unknown>): void {
    const ended = () => {
      if (this.#underWay === underWay) this.#underWay = undefined;
    };
    const underWay = list.then(ended, ended);
    this.#underWay = underWay;
  }

  /** Throws `definition_changed` where the list holds another definition than the one that is called; `cancelled`. */
  async confirm({ toolName, exposedName }: Tool, signal: AbortSignal): Promise<void> {
    if (this.#underWay === undefined) return;
    const waited = Promise.race([this.#underWay, delay(maxWaitMs, undefined, { ref: false })]);
    await abortable(waited, signal, () => cancelled(this.#serverId, false));
    if (this.#catalog.statusOf(toolName) !== 'changed') return;
    throw new ToolcribError(
      'definition_changed',
      `${exposedName} was not called: its server changed the definition after it was accepted.`,
      { details: { server: this.#serverId, mayHaveRun: false } },
    );
  }
}
