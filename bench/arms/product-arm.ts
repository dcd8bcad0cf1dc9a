import { createToolcrib, type Toolcrib } from 'toolcrib';
import type { ToolSet } from '../data/load-tools.ts';
import type { Arm, ArmAnswer, ProductArmName } from './arm.ts';

export interface ProductArmOptions {
  /** Keeps the ingested and embedded catalog in this file. Default: in memory. */
  catalog?: string;
}

/** toolcrib itself, through its public API. */
export class ProductArm implements Arm {
  readonly name: ProductArmName;
  readonly #crib: Toolcrib;
  #labelOf: ToolSet['labelOf'] = (server, tool) => `${server}/${tool}`;

  constructor(name: ProductArmName, { catalog }: ProductArmOptions = {}) {
    this.name = name;
    this.#crib = createToolcrib(catalog === undefined ? {} : { catalog });
  }

  async index(toolSet: ToolSet): Promise<void> {
    this.#labelOf = toolSet.labelOf;
    for (const { server, tools, ...about } of toolSet.servers) this.#crib.ingest(server, tools, about);
    await this.#crib.settled();
  }

  async search(query: string, limit: number): Promise<ArmAnswer> {
    const { hits, confidence } = await this.#crib.search(query, { limit, arm: this.name });
    const [best] = hits;
    return {
      ranked: hits.map((hit) => this.#labelOf(hit.server, hit.tool)),
      ...(best === undefined ? {} : { topScore: best.score }),
      confidence,
    };
  }

  close(): Promise<void> {
    return this.#crib.close();
  }
}
