import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import type { ToolSet } from '../data/load-tools.ts';
import type { Arm, ArmAnswer } from './arm.ts';
import { documentColumns, toolDocuments } from './documents.ts';
import { splitWordsOf, withoutStopWords } from './words.ts';

/** MiniSearch (BM25+ in memory) at the best settings found: split identifiers, stems, columns weighted, OR. */
export class MiniSearchArm implements Arm {
  readonly name = 'minisearch';
  readonly #index = new MiniSearch({
    idField: 'label',
    fields: [...documentColumns],
    tokenize: splitWordsOf,
    processTerm: stemmer,
    searchOptions: {
      tokenize: (query) => withoutStopWords(splitWordsOf(query)),
      boost: { name: 5, description: 1, parameters: 0.5, server: 2 },
      combineWith: 'OR',
    },
  });

  async index(toolSet: ToolSet): Promise<void> {
    this.#index.addAll(toolDocuments(toolSet));
  }

  async search(query: string, limit: number): Promise<ArmAnswer> {
    const results = this.#index.search(query).slice(0, limit);
    const [best] = results;
    return {
      ranked: results.map(({ id }) => String(id)),
      ...(best === undefined ? {} : { topScore: best.score }),
    };
  }

  async close(): Promise<void> {
    this.#index.removeAll();
  }
}
