/** How telling a word is: near 1 for one that few tools have, near 0 for one that nearly all have. */
export type Rarity = (word: string) => number;

/** From how many of `documents` hold each word, on a logarithmic scale. */
export function wordRarity(documents: readonly Iterable<string>[]): Rarity {
  const counts = new Map<string, number>();
  for (const words of documents) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const total = Math.log(documents.length + 1);
  return (word) => (total === 0 ? 1 : 1 - Math.log(Math.max(1, counts.get(word) ?? 1)) / total);
}

/** Share of the weight of all words that both have, 0–1 (weighted Jaccard). */
export function overlap(a: Iterable<string>, b: ReadonlySet<string>, rarity: Rarity): number {
  let [shared, all] = [0, 0];
  const seen = new Set(a);
  for (const word of seen) {
    all += rarity(word);
    if (b.has(word)) shared += rarity(word);
  }
  for (const word of b) if (!seen.has(word)) all += rarity(word);
  return all === 0 ? 0 : shared / all;
}
