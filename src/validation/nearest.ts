import { distance } from 'fastest-levenshtein';

/** Longer names are no misspellings of each other that anyone could tell. */
const nameMaxCharacters = 100;

/** Pairs of characters compared: about 0.1 s. Real lists of values and names need a thousandth of it. */
const pairsMaxCount = 200_000_000;

/** The candidate that the name is most like, or `undefined` when none is near: case and separators count for nothing. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = fold(name.slice(0, nameMaxCharacters));
  if (name.length > nameMaxCharacters || wanted === '') return undefined;
  let best: string | undefined;
  // Of names of one or two letters, any other is as near.
  let bestDistance = Math.floor(wanted.length / 3) + 1;
  let bestDifference = Number.POSITIVE_INFINITY;
  let pairs = 0;
  for (const candidate of candidates) {
    if (candidate.length > nameMaxCharacters) continue;
    const folded = fold(candidate);
    const difference = Math.abs(folded.length - wanted.length);
    const isPart = isPartOf(wanted, folded);
    // As many edits as that are needed at least.
    if (!isPart && difference >= bestDistance) continue;
    if (!isPart) pairs += folded.length * wanted.length;
    if (pairs > pairsMaxCount) break;
    const away = isPart ? 1 : distance(wanted, folded);
    // Of names that hold or are held by the wanted one, the longest in common is meant.
    if (away > bestDistance || (away === bestDistance && (best === undefined || difference >= bestDifference)))
      continue;
    best = candidate;
    bestDistance = away;
    bestDifference = difference;
  }
  return best;
}

/** Whole words in common say more than letters: `issue_title` means `title`. */
function isPartOf(wanted: string, candidate: string): boolean {
  const [short, long] = wanted.length < candidate.length ? [wanted, candidate] : [candidate, wanted];
  return short.length > 3 && long !== short && (long.startsWith(short) || long.endsWith(short));
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}
