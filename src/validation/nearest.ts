import { distance } from 'fastest-levenshtein';

/** Longer names are no misspellings of each other that anyone could tell. */
const nameMaxCharacters = 100;

const candidatesMaxCount = 1_000;

/** The candidate that the name is most like, or `undefined` when none is near: case and separators count for nothing. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = fold(name);
  if (name.length > nameMaxCharacters || wanted === '') return undefined;
  let best: string | undefined;
  // Of names of one or two letters, any other is as near.
  let bestDistance = Math.floor(wanted.length / 3) + 1;
  for (const candidate of candidates.slice(0, candidatesMaxCount)) {
    if (candidate.length > nameMaxCharacters) continue;
    const away = distanceOf(wanted, fold(candidate));
    if (away >= bestDistance) continue;
    best = candidate;
    bestDistance = away;
  }
  return best;
}

/** Whole words in common say more than letters: `issue_title` means `title`. */
function distanceOf(wanted: string, candidate: string): number {
  const [short, long] = wanted.length < candidate.length ? [wanted, candidate] : [candidate, wanted];
  return short.length > 3 && (long.startsWith(short) || long.endsWith(short)) && long !== short
    ? 1
    : distance(wanted, candidate);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}
