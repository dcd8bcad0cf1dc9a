/**
 * Cuts token ids to `maxTokens`, keeping the last one: models close each text with a marker (`[SEP]`), and a text
 * without it gets another vector. The tokenizer library does not truncate.
 */
export function truncate(ids: readonly number[], maxTokens: number): readonly number[] {
  if (ids.length <= maxTokens) return ids;
  return [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
}
