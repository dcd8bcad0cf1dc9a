/**
 * Deepest arguments and results that are passed on. Real ones stay under 20 levels; at some thousand, everything that
 * walks them by recursion, `JSON.stringify` included, overflows its stack.
 */
export const nestingMaxLevels = 200;

/** True when arrays and objects lie in each other more than `maxLevels` deep; also for values that hold themselves. */
export function isNestedDeeper(value: unknown, maxLevels: number): boolean {
  const waiting: { container: object; level: number }[] = [];
  const look = (at: unknown, level: number) => {
    if (typeof at === 'object' && at !== null) waiting.push({ container: at, level });
  };
  look(value, 1);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { container, level } = next;
    if (level > maxLevels) return true;
    for (const child of Object.values(container)) look(child, level + 1);
  }
  return false;
}
