const nameCharacters = /[\p{L}\p{M}\p{N}]+/gu;

/** `create_issue`, `Create-Issue` and `createIssue` are one name. A name without any letter stands for itself. */
export function plainName(text: string): string {
  const normal = text.normalize('NFKC').toLowerCase();
  return (normal.match(nameCharacters) ?? []).join('') || normal.trim();
}
