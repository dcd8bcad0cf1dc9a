/** What it takes to turn a stored list into a new one. */
export interface ListDiff<Old, New> {
  added: New[];
  /** Same name, other definition. */
  changed: { old: Old; new: New }[];
  removed: Old[];
  unchanged: { old: Old; new: New }[];
}

interface Identified {
  name: string;
  hash: string;
}

/** Compares two lists by name and hash. Names are unique within each. */
export function diffLists<Old extends Identified, New extends Identified>(
  stored: readonly Old[],
  listed: readonly New[],
): ListDiff<Old, New> {
  const rest = new Map(stored.map((tool) => [tool.name, tool]));
  const diff: ListDiff<Old, New> = { added: [], changed: [], removed: [], unchanged: [] };
  for (const tool of listed) {
    const old = rest.get(tool.name);
    rest.delete(tool.name);
    if (old === undefined) diff.added.push(tool);
    else if (old.hash === tool.hash) diff.unchanged.push({ old, new: tool });
    else diff.changed.push({ old, new: tool });
  }
  diff.removed.push(...rest.values());
  return diff;
}
