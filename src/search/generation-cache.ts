/** Keeps one value for as long as the generation it was made in lasts. */
export class GenerationCache<Value> {
  #entry: { generation: string; value: Value } | undefined;

  get(generation: string, make: () => Value): Value {
    if (this.#entry?.generation !== generation) this.#entry = { generation, value: make() };
    return this.#entry.value;
  }
}
