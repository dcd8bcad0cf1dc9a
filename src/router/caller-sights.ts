import { LRUCache } from 'lru-cache';
import type { CallerScope, CatalogReader, CatalogView } from '../model/index.ts';
import { ScopedCatalog } from './scoped-catalog.ts';
import { ToolLookup } from './tool-lookup.ts';

/** Callers of the same scope share one. */
const scopesMax = 100;

/** The catalog, or the part of it that a caller may know of. */
export interface Sight {
  catalog: CatalogReader;
  /** Absent where nothing is hidden. */
  view?: CatalogView;
  lookup: ToolLookup;
}

/** What callers may know of: worked out once for all of the same scope. */
export class CallerSights {
  readonly whole: Sight;
  /** By the key of a scope. */
  readonly #scoped = new LRUCache<string, Sight>({ max: scopesMax });

  constructor(catalog: CatalogReader) {
    this.whole = { catalog, lookup: new ToolLookup(catalog) };
  }

  of(scope: CallerScope | undefined): Sight {
    if (scope === undefined) return this.whole;
    const known = this.#scoped.get(scope.key);
    if (known !== undefined) return known;
    const view = new ScopedCatalog(this.whole.catalog, scope);
    const sight = { catalog: view, view, lookup: new ToolLookup(view) };
    this.#scoped.set(scope.key, sight);
    return sight;
  }
}
