import { ToolcribError } from '../errors/index.ts';
import type { CatalogReader, Tool, ToolName } from '../model/index.ts';
import { capText, cleanText } from '../render/index.ts';
import { NameIndex, type NameLookup } from './name-index.ts';

/** Full names offered for an ambiguous one. */
const namesShown = 8;
const nameShownMaxChars = 100;

/** Looks tools up by the names that models use. */
export class ToolLookup {
  readonly #catalog: CatalogReader;
  readonly #names: NameIndex;

  constructor(catalog: CatalogReader) {
    this.#catalog = catalog;
    this.#names = new NameIndex(catalog);
  }

  find(name: string): Tool | undefined {
    const lookup = this.#names.find(name);
    return lookup.kind === 'found' ? this.#catalog.tool(lookup.name) : undefined;
  }

  /** Whether it can be called, without reading its definition; undefined where there is none. */
  statusOf(name: string): Tool['status'] | undefined {
    const lookup = this.#names.find(name);
    return lookup.kind === 'found' ? lookup.name.status : undefined;
  }

  /** Set-aside tools are found as well. Throws `unknown_tool`, `ambiguous_tool`. */
  get(name: string): Tool {
    const lookup = this.#names.find(name);
    const tool = lookup.kind === 'found' ? this.#catalog.tool(lookup.name) : undefined;
    if (tool === undefined) throw missing(name, lookup, unlistedServers(name, this.#catalog));
    return tool;
  }
}

/** Servers whose tools nobody knows yet and of which the name may be: the one that it names, or any. */
function unlistedServers(name: string, catalog: CatalogReader): string[] {
  const unlisted = catalog
    .servers()
    .filter(({ listedAt, lastError }) => listedAt === undefined && lastError === undefined);
  const named = unlisted.filter(({ id }) => name.includes(`${id}__`));
  return (named.length > 0 ? named : unlisted).map(({ id }) => id);
}

function missing(name: string, lookup: NameLookup, unlisted: readonly string[]): ToolcribError {
  const shown = JSON.stringify(capText(cleanText(name), nameShownMaxChars));
  if (lookup.kind === 'ambiguous') {
    return new ToolcribError('ambiguous_tool', `Several tools are called ${shown}: ${list(lookup.names)}.`, {
      details: { names: lookup.names.map(({ exposedName }) => exposedName) },
    });
  }
  const nearest = lookup.kind === 'unknown' ? lookup.nearest : [];
  const near = nearest.length === 0 ? '' : ` Nearest names: ${list(nearest)}.`;
  if (unlisted.length > 0) {
    const servers = capList(unlisted);
    return new ToolcribError('unknown_tool', `No tool is called ${shown} so far. Not listed yet: ${servers}.${near}`, {
      next: 'Try again in a few seconds: these servers are still being listed for the first time.',
      details: { nearest: nearest.map(({ exposedName }) => exposedName) },
    });
  }
  return new ToolcribError('unknown_tool', `No tool is called ${shown}.${near}`, {
    next: `${nearest.length === 0 ? 'Search' : 'If none of them is meant, search'}: search_tools {"query":${JSON.stringify(words(name))}}`,
    details: { nearest: nearest.map(({ exposedName }) => exposedName) },
  });
}

function list(names: readonly ToolName[]): string {
  return capList(names.map(({ exposedName }) => exposedName));
}

function capList(names: readonly string[]): string {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  return `${names.slice(0, namesShown).join(', ')}${more}`;
}

/** `github__createIssue` → `github create issue`. */
function words(name: string): string {
  const spaced = name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ');
  return capText(cleanText(spaced).toLowerCase(), nameShownMaxChars) || 'what the tool should do';
}
