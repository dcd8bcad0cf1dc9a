import type { ToolName } from '../../model/index.ts';

/** How a query names a tool. `exactCase`: as written; `anyStyle`: but for case and separators; `mention`: among other words. */
export type NameMatch = 'exactCase' | 'anyStyle' | 'mention';

const nameCharacters = /[\p{L}\p{M}\p{N}]+/gu;
const mentionBoundary = /[\s"'`“”‘’()[\]{}<>,;:!?]+/u;
/** Looks like an identifier and not like a word of a sentence: `create_issue`, `create-issue`, `createIssue`, `a.b`. */
const identifier = /[\p{L}\p{N}][_\-./]+[\p{L}\p{N}]|\p{Ll}\p{Lu}/u;

/** What some hosts put before each tool name of a server: `mcp__<their name for us>__`. */
const hostPrefix = /^mcp__[A-Za-z0-9-]+?__(?=.)/;

/** Longest query that is looked at for names. */
const maxQueryCharacters = 1_000;

/** Finds the tools that a query names, bare or with their prefix. Built once for each list of names. */
export class NameIndex {
  readonly #byPlainName = new Map<string, ToolName[]>();

  constructor(names: readonly ToolName[]) {
    for (const name of names) {
      const forms = [name.toolName, name.exposedName, `${name.serverId} ${name.toolName}`];
      for (const form of new Set(forms.map(plain))) {
        if (form === '') continue;
        const entry = this.#byPlainName.get(form);
        if (entry === undefined) this.#byPlainName.set(form, [name]);
        else entry.push(name);
      }
    }
  }

  /** Matches by tool key; a tool that is named in several ways keeps the strongest. */
  find(query: string): Map<number, { name: ToolName; match: NameMatch }> {
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
    return found;
  }

  #lookUp(text: string): readonly ToolName[] {
    return this.#byPlainName.get(plain(text)) ?? [];
  }
}

/** `create_issue`, `Create-Issue` and `createIssue` are one name. A name without any letter stands for itself. */
function plain(text: string): string {
  const normal = text.normalize('NFKC').toLowerCase();
  return (normal.match(nameCharacters) ?? []).join('') || normal.trim();
}

function trimPunctuation(text: string): string {
  return text.replace(/^[._\-/]+|[._\-/]+$/gu, '');
}
