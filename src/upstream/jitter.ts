/** Pauses are drawn out by up to this share, so that processes that failed together do not come back together. */
const share = 0.25;

/** A pause of at least `ms` milliseconds. `random` gives a number from 0 up to 1. */
export function jittered(ms: number, random: () => number = Math.random): number {
  return Math.round(ms * (1 + share * random()));
}
