import { distance } from 'fastest-levenshtein';
import type { CatalogReader, ToolName } from '../model/index.ts';

export type NameLookup =
  | { kind: 'found'; name: ToolName }
  | { kind: 'ambiguous'; names: ToolName[] }
  | { kind: 'unknown'; nearest: ToolName[] };

/** Names offered when one is unknown. */
const nearestShown = 3;
/** At most this share of the characters may differ. */
const distanceMaxShare = 0.4;
/** Longer texts are no names. */
const nameMaxChars = 256;

/** Finds tools by the names that models use, and the nearest ones for names that do not exist. */
export class NameIndex {
  readonly #catalog: Pick<CatalogReader, 'names'>;
  #names: readonly ToolName[] = [];
  #maps: NameMaps = emptyMaps();

  constructor(catalog: Pick<CatalogReader, 'names'>) {
    this.#catalog = catalog;
  }

  /**
   * The tool of an exposed name, or of a raw name where it is unambiguous; exact case first, then any case and
   * separators; at last without the prefix that a host puts before names, `mcp__toolcrib__`. Tools that can be called
   * come before those that are set aside.
   */
  find(given: string): NameLookup {
    const name = given.trim();
    const lookup = this.#named(name);
    if (lookup !== undefined) return lookup;
    if (name.length > nameMaxChars) return { kind: 'unknown', nearest: [] };
    const own = withoutOwnPrefix(name);
    return (
      (own === undefined ? undefined : this.#named(own)) ??
      this.#behindOthersPrefix(name) ?? { kind: 'unknown', nearest: this.#nearest(own ?? name) }
    );
  }

  #named(name: string): NameLookup | undefined {
    const { exposed, bare, simpleExposed, simpleBare } = this.#current();
    for (const names of [
      exposed.get(name),
      bare.get(name),
      simpleExposed.get(simplify(name)),
      simpleBare.get(simplify(name)),
    ]) {
      const lookup = choose(names ?? []);
      if (lookup !== undefined) return lookup;
    }
    return undefined;
  }

  /** `mcp__` and whatever the user calls toolcrib. Behind it, a bare name may mean the tool of another server. */
  #behindOthersPrefix(name: string): NameLookup | undefined {
    if (!name.startsWith(hostPrefix)) return undefined;
    const { exposed } = this.#current();
    for (let at = name.indexOf('__'); at !== -1; at = name.indexOf('__', at + 1)) {
      const lookup = choose(exposed.get(name.slice(at + 2)) ?? []);
      if (lookup !== undefined) return lookup;
    }
    return undefined;
  }

  #current(): NameMaps {
    const names = this.#catalog.names();
    if (names !== this.#names) {
      this.#names = names;
      this.#maps = mapsOf(names);
    }
    return this.#maps;
  }

  #nearest(given: string): ToolName[] {
    const wanted = simplify(given);
    return this.#names
      .filter(isCallable)
      .map((name) => ({ name, apart: apartness(wanted, name) }))
      .filter(({ apart }) => apart <= distanceMaxShare)
      .sort((a, b) => a.apart - b.apart || a.name.key - b.name.key)
      .slice(0, nearestShown)
      .map(({ name }) => name);
  }
}

const hostPrefix = 'mcp__';

function withoutOwnPrefix(name: string): string | undefined {
  return /^(?:mcp(?:__|[_.:/-]))?toolcrib(?:__|[_.:/-])(.+)$/s.exec(name)?.[1];
}

interface NameMaps {
  exposed: Map<string, ToolName[]>;
  bare: Map<string, ToolName[]>;
  simpleExposed: Map<string, ToolName[]>;
  simpleBare: Map<string, ToolName[]>;
}

function emptyMaps(): NameMaps {
  return { exposed: new Map(), bare: new Map(), simpleExposed: new Map(), simpleBare: new Map() };
}

function mapsOf(names: readonly ToolName[]): NameMaps {
  const maps = emptyMaps();
  for (const name of names) {
    add(maps.exposed, name.exposedName, name);
    add(maps.bare, name.toolName, name);
    add(maps.simpleExposed, simplify(name.exposedName), name);
    // `github/create_issue` is how others write it.
    const qualified = simplify(`${name.serverId}${name.toolName}`);
    if (qualified !== simplify(name.exposedName)) add(maps.simpleExposed, qualified, name);
    add(maps.simpleBare, simplify(name.toolName), name);
  }
  return maps;
}

function add(map: Map<string, ToolName[]>, key: string, name: ToolName): void {
  const names = map.get(key);
  if (names === undefined) map.set(key, [name]);
  else names.push(name);
}

function choose(names: readonly ToolName[]): NameLookup | undefined {
  // One that waits for a person keeps its name: a call that means it must not go to another server's tool.
  const listed = names.filter((name) => isCallable(name) || name.status === 'changed');
  const candidates = listed.length > 0 ? listed : names;
  const [first] = candidates;
  if (first === undefined) return undefined;
  return candidates.length === 1 ? { kind: 'found', name: first } : { kind: 'ambiguous', names: [...candidates] };
}

/** True for tools that can be called. */
export function isCallable({ status }: { status: ToolName['status'] }): boolean {
  return status === 'ok' || status === 'repaired';
}

/**
 * Differing characters, from the bare or the whole name, whichever is nearer, as a share of the bare name: a common
 * server id makes two tools no more alike.
 */
function apartness(wanted: string, { toolName, exposedName }: ToolName): number {
  const bare = simplify(toolName);
  const edits = Math.min(distance(wanted, bare), distance(wanted, simplify(exposedName)));
  return wanted === '' ? 1 : edits / Math.max(bare.length, 1);
}

function simplify(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
