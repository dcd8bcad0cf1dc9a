import type { CatalogReader, VectorStore } from '../model/index.ts';

/**
 * Changes whenever tools, their keywords or their vectors do: keywords and vectors come from the same texts, so the vectors'
 * generation tells when tools were indexed anew.
 */
export function indexGeneration(
  catalog: Pick<CatalogReader, 'generation'>,
  vectors: Pick<VectorStore, 'vectorGeneration'>,
): string {
  return `${catalog.generation()}/${vectors.vectorGeneration()}`;
}

/** Keeps one value for as long as the generation it was made in lasts. */
export class GenerationCache<Value> {
  #entry: { generation: string; value: Value } | undefined;

  get(generation: string, make: () => Value): Value {
    if (this.#entry?.generation !== generation) this.#entry = { generation, value: make() };
    return this.#entry.value;
  }
}
