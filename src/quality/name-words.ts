import { wordsOf } from '../search/index.ts';

/** The words of an identifier in lower case: `createIssue_v2` gives create, issue, v, 2. */
export function nameWords(name: string): string[] {
  return (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((part) => {
    const words = wordsOf(part);
    // Search also keeps the whole of what it splits.
    return words.length > 2 && words.at(-1) === words.slice(0, -1).join('') ? words.slice(0, -1) : words;
  });
}

/** The words of a tool's name without the server's own that it begins with, as long as any remain. */
export function ownNameWords(name: string, serverId: string): string[] {
  const words = nameWords(name);
  const serverWords = new Set(nameWords(serverId));
  const start = words.findIndex((word) => !serverWords.has(word));
  return start === -1 ? words : words.slice(start);
}
