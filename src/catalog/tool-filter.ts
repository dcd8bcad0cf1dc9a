import picomatch from 'picomatch';
import type { ToolFilter } from '../model/index.ts';

/** True when the user's globs keep a tool out: it matches no `include` (where there are any), or an `exclude`. */
export function isHidden(toolName: string, filter: ToolFilter | undefined): boolean {
  if (filter === undefined) return false;
  const { include, exclude } = filter;
  return (include.length > 0 && !matches(toolName, include)) || (exclude.length > 0 && matches(toolName, exclude));
}

/** Tool names are no paths: `*` also matches `/` and a leading dot. */
function matches(toolName: string, globs: readonly string[]): boolean {
  return globs.some((glob) =>
    picomatch.isMatch(toolName.replaceAll('/', '\u0001'), glob.replaceAll('/', '\u0001'), { dot: true }),
  );
}
