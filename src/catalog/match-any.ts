/**
 * The FTS5 query for any of these terms; undefined where none of them can be looked for. Each is quoted, so that no word
 * is read as an operator.
 */
export function matchAny(terms: readonly string[]): string | undefined {
  const usable = usableTerms(terms);
  return usable.length === 0 ? undefined : usable.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
}

/** Distinct, and without NUL: FTS5 reads its query as a C string, which a NUL would end within the quotes. */
export function usableTerms(terms: readonly string[]): string[] {
  const withoutNul = terms.map((term) => term.replaceAll('\0', ' '));
  return [...new Set(withoutNul)].filter((term) => /[\p{L}\p{N}]/u.test(term));
}
