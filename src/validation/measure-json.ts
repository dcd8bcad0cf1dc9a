/**
 * How many values a JSON value holds and how deep it nests. Stops soon after a limit is passed, and never overflows
 * the stack.
 */
export function measureJson(
  value: unknown,
  limits: { values: number; depth: number },
): { values: number; depth: number } {
  let values = 0;
  let depth = 0;
  let level: unknown[] = [value];
  while (level.length > 0 && values <= limits.values && depth <= limits.depth) {
    values += level.length;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      for (const member of Object.values(one)) next.push(member);
      if (next.length > limits.values) break;
    }
    if (next.length > 0) depth += 1;
    level = next;
  }
  return { values, depth };
}
