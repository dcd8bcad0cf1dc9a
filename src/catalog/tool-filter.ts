import picomatch from 'picomatch';
import type { ToolFilter } from '../model/index.ts';

/** True when the user's globs keep a tool out: it matches no `include` (where there are any), or an `exclude`. */
export function isHidden(toolName: string, filter: ToolFilter | undefined): boolean {
  if (filter === undefined) return false;
  const { include, exclude } = filter;
  if (include.length === 0 && exclude.length === 0) return false;
  const matches = compiled(filter);
  const name = withoutSlash(toolName);
  return (include.length > 0 && !matches.include(name)) || matches.exclude(name);
}

interface Compiled {
  include: (name: string) => boolean;
  exclude: (name: string) => boolean;
}

/** Asked once for each tool of a list: globs are compiled once for each filter. */
const filters = new WeakMap<ToolFilter, Compiled>();

function compiled(filter: ToolFilter): Compiled {
  const known = filters.get(filter);
  if (known !== undefined) return known;
  const made = { include: matcher(filter.include), exclude: matcher(filter.exclude) };
  filters.set(filter, made);
  return made;
}

/** Tool names are no paths: `*` also matches `/` and a leading dot. An empty glob matches nothing. */
function matcher(globs: readonly string[]): (name: string) => boolean {
  const usable = globs.filter((glob) => glob !== '');
  return picomatch(usable.map(withoutSlash), { dot: true });
}

function withoutSlash(text: string): string {
  return text.replaceAll('/', '\u0001');
}
