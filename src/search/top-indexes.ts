/** The indexes of the `count` highest values, in no particular order; ties go to the lower index. */
export function topIndexes(values: ArrayLike<number>, count: number, allowed?: (index: number) => boolean): number[] {
  let kept: number[] = [];
  let threshold = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index++) {
    if ((values[index] as number) <= threshold || allowed?.(index) === false) continue;
    kept.push(index);
    // Sorting now and then keeps the pass linear, with no heap to maintain.
    if (kept.length < 2 * count) continue;
    kept = best(kept, values, count);
    threshold = values[kept[count - 1] as number] as number;
  }
  return best(kept, values, count);
}

function best(indexes: number[], values: ArrayLike<number>, count: number): number[] {
  return indexes.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b).slice(0, count);
}
