import type { Index } from 'flexsearch';
import { ToolcribError } from '../errors/index.ts';
import type { CatalogReader, ToolName } from '../model/index.ts';
import { wordsOf } from './text/tokenize.ts';

/** `createIs` is on its way to `createIssue` and to `create_issue`. */
const caseBoundary = /(?<=\p{Ll})(?=\p{Lu})/gu;
const defaultLimit = 10;
const maxLimit = 100;
/** Longer than any name. */
const maxPrefixCharacters = 200;

/** Completes what is being typed to names of callable tools. The library that does it is loaded at first use. */
export class TypeAhead {
  readonly #catalog: Pick<CatalogReader, 'generation' | 'names'>;
  #index: { generation: number; words: Index; byKey: ReadonlyMap<number, ToolName> } | undefined;

  constructor(catalog: Pick<CatalogReader, 'generation' | 'names'>) {
    this.#catalog = catalog;
  }

  /**
   * Tools whose name or server has words that begin with those of `prefix`; shorter names first.
   *
   * @throws ToolcribError `invalid_arguments`.
   */
  async complete(prefix: string, limit = defaultLimit): Promise<ToolName[]> {
    check(prefix, limit);
    const text = wordsOf(prefix.slice(0, maxPrefixCharacters).replace(caseBoundary, ' ')).join(' ');
    if (text === '') return [];
    const { words, byKey } = await this.#current();
    const keys = words.search(text, { limit: Math.max(1, byKey.size), suggest: false }) as number[];
    const found = keys.flatMap((key) => byKey.get(key) ?? []);
    const byLength = (a: ToolName, b: ToolName) =>
      a.exposedName.length - b.exposedName.length || (a.exposedName < b.exposedName ? -1 : 1);
    return found.sort(byLength).slice(0, limit);
  }

  async #current() {
    const generation = this.#catalog.generation();
    if (this.#index?.generation === generation) return this.#index;
    const { Index: FlexIndex } = await import('flexsearch');
    const words = new FlexIndex({ tokenize: 'forward', cache: false, encode: (text) => text.split(' ') });
    const names = this.#catalog.names().filter(({ status }) => status !== 'set_aside' && status !== 'quarantined');
    for (const { key, exposedName } of names) words.add(key, [...new Set(wordsOf(exposedName))].join(' '));
    this.#index = { generation, words, byKey: new Map(names.map((name) => [name.key, name])) };
    return this.#index;
  }
}

function check(prefix: unknown, limit: unknown): void {
  if (typeof prefix !== 'string') {
    throw new ToolcribError('invalid_arguments', `complete: prefix must be a text; got ${JSON.stringify(prefix)}.`);
  }
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > maxLimit) {
    const got = JSON.stringify(limit) ?? String(limit);
    throw new ToolcribError(
      'invalid_arguments',
      `complete: limit must be a whole number from 1 to ${maxLimit}; got ${got}.`,
    );
  }
}
