import type { ToolName } from '../../model/index.ts';
import { MisspeltNames } from './misspelt-names.ts';
import { plainName } from './plain-name.ts';

/**
 * How a query names a tool. `exactCase`: as written; `anyStyle`: but for case and separators; `oneEdit`, `twoEdits`: but for
 * so many letters; `mention`: among other words.
 */
export type NameMatch = 'exactCase' | 'anyStyle' | 'oneEdit' | 'twoEdits' | 'mention';

const mentionBoundary = /[\s"'`“”‘’()[\]{}<>,;:!?]+/u;
/** Looks like an identifier and not like a word of a sentence: `create_issue`, `create-issue`, `createIssue`, `a.b`. */
const identifier = /[\p{L}\p{N}][_\-./]+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u;

/** What some hosts put before each tool name of a server: `mcp__<their name for us>__`. */
const hostPrefix = /^mcp__[A-Za-z0-9-]+?__(?=.)/;

/** Longest query that is looked at for names. */
const maxQueryCharacters = 1_000;
/** A longer text is a request, not a name. */
const maxNameWords = 5;

/** Finds the tools that a query names, bare or with their prefix. Built once for each list of names. */
export class NameIndex {
  readonly #byPlainName = new Map<string, ToolName[]>();
  #misspelt: MisspeltNames | undefined;

  constructor(names: readonly ToolName[]) {
    for (const name of names) {
      const forms = [name.toolName, name.exposedName, `${name.serverId} ${name.toolName}`];
      for (const form of new Set(forms.map(plainName))) {
        if (form === '') continue;
        const entry = this.#byPlainName.get(form);
        if (entry === undefined) this.#byPlainName.set(form, [name]);
        else entry.push(name);
      }
    }
  }

  /**
   * Matches by tool key; a tool that is named in several ways keeps the strongest. Misspelt names are looked for where
   * nothing else matches and the query looks like a name: an identifier, or a few words of which `isKnownWord` does not
   * know all.
   */
  find(query: string, isKnownWord: (word: string) => boolean): Map<number, { name: ToolName; match: NameMatch }> {
    const text = query.trim().slice(0, maxQueryCharacters).replace(hostPrefix, '');
    const found = new Map<number, { name: ToolName; match: NameMatch }>();
    for (const mention of text.split(mentionBoundary)) {
      if (!identifier.test(mention)) continue;
      for (const name of this.#lookUp(trimPunctuation(mention))) found.set(name.key, { name, match: 'mention' });
    }
    for (const name of this.#lookUp(text)) {
      const sameCase = text === name.toolName || text === name.exposedName;
      found.set(name.key, { name, match: sameCase ? 'exactCase' : 'anyStyle' });
    }
    if (found.size === 0 && mayBeMisspelt(text, isKnownWord)) {
      this.#misspelt ??= new MisspeltNames([...this.#byPlainName.keys()]);
      for (const { form, edits } of this.#misspelt.near(plainName(text))) {
        const match = edits === 1 ? 'oneEdit' : 'twoEdits';
        for (const name of this.#byPlainName.get(form) ?? []) {
          if (!found.has(name.key)) found.set(name.key, { name, match });
        }
      }
    }
    return found;
  }

  #lookUp(text: string): readonly ToolName[] {
    return this.#byPlainName.get(plainName(text)) ?? [];
  }
}

function mayBeMisspelt(text: string, isKnownWord: (word: string) => boolean): boolean {
  const words = text.split(/\s+/u);
  if (words.length === 1) return identifier.test(text) || !isKnownWord(text);
  return words.length <= maxNameWords && !words.every(isKnownWord);
}

function trimPunctuation(text: string): string {
  return text.replace(/^[._\-/]+|[._\-/]+$/gu, '');
}
