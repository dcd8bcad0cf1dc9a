import { Index } from 'flexsearch';
import { stemmer } from 'stemmer';
import type { ToolSet } from '../data/load-tools.ts';
import type { Arm, ArmAnswer } from './arm.ts';
import { type DocumentColumn, documentColumns, toolDocuments } from './documents.ts';
import { splitWordsOf, withoutStopWords } from './words.ts';

/** Best of those tried on the development sets. */
const weights: Record<DocumentColumn, number> = { name: 2, description: 1, parameters: 0.3, server: 1 };

/**
 * FlexSearch at the best settings found: an index a column, split identifiers, stems, and each word of the query looked up
 * by itself, because one search of all words ranks worse. It knows no inverse document frequency: each word found counts the
 * weight of its column.
 */
export class FlexSearchArm implements Arm {
  readonly name = 'flexsearch';
  readonly #labels: string[] = [];
  readonly #indexes = documentColumns.map((column) => ({
    column,
    index: new Index({ tokenize: 'strict', encode: encodeWords }),
  }));

  async index(toolSet: ToolSet): Promise<void> {
    for (const document of toolDocuments(toolSet)) {
      for (const { column, index } of this.#indexes) index.add(this.#labels.length, document[column]);
      this.#labels.push(document.label);
    }
  }

  async search(query: string, limit: number): Promise<ArmAnswer> {
    const scores = new Map<number, number>();
    for (const word of new Set(encodeWords(query))) {
      for (const { column, index } of this.#indexes) {
        const found = index.search(word, { limit: this.#labels.length }) as number[];
        for (const id of found) scores.set(id, (scores.get(id) ?? 0) + weights[column]);
      }
    }
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, limit);
    const topScore = best[0]?.[1];
    return {
      ranked: best.map(([id]) => this.#labels[id] as string),
      ...(topScore === undefined ? {} : { topScore }),
    };
  }

  async close(): Promise<void> {
    for (const { index } of this.#indexes) index.clear();
  }
}

function encodeWords(text: string): string[] {
  return withoutStopWords(splitWordsOf(text)).map(stemmer);
}
