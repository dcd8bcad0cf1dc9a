import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '../faults/seed.ts';
import { type Footprint, footprint } from './footprint.ts';
import { Load } from './load.ts';

export interface SoakOptions {
  seed: number;
  durationMs: number;
  /** Of the catalog. */
  path: string;
  onSample(sample: Sample): void;
}

export interface Sample extends Footprint {
  /** Since the start. */
  atMs: number;
  steps: number;
}

export interface SoakReport {
  samples: Sample[];
  /** What was done how often. */
  counts: Record<string, number>;
  /** What grew, in words; empty when all is flat. */
  growth: string[];
}

/** Hosts that are busy at the same time. */
const workers = 8;
/** Samples of a run: enough at either end to meet the process at rest. */
const samplesPerRun = 20;
/** Until caches are full and code is compiled, memory grows; this share of the run is not judged. */
const warmUpShare = 0.4;
/** After the load stops for a sample, until calls have ended and sockets are closed. */
const settleMs = 300;

const mebibyte = 1024 * 1024;

/** Sockets that are kept open for the next request come and go: some ten of them. */
const handlesTolerated = (first: number) => Math.max(10, 0.2 * first);

/** How much more than at first is still called flat: memory moves by itself, handles by what is just being closed. */
const tolerated: Record<keyof Footprint, (first: number) => number> = {
  rss: (first) => Math.max(0.15 * first, 32 * mebibyte),
  heap: (first) => Math.max(0.15 * first, 8 * mebibyte),
  files: handlesTolerated,
  handles: handlesTolerated,
  children: () => 1,
  listeners: () => 0,
};

/** Mixed load for some time; what the process holds is measured while the load pauses. */
export async function runSoak({ seed, durationMs, path, onSample }: SoakOptions): Promise<SoakReport> {
  const load = await Load.start(path, randomFrom(seed));
  const samples: Sample[] = [];
  const startedAt = performance.now();
  let steps = 0;
  try {
    await load.everything();
    for (let round = 1; round <= samplesPerRun; round += 1) {
      const until = startedAt + (durationMs * round) / samplesPerRun - settleMs;
      const work = async () => {
        do {
          await load.step();
          steps += 1;
        } while (performance.now() < until);
      };
      await Promise.all(Array.from({ length: workers }, work));
      await delay(settleMs);
      const sample = { atMs: performance.now() - startedAt, steps, ...footprint() };
      samples.push(sample);
      onSample(sample);
    }
  } finally {
    await load.close();
  }
  return { samples, counts: load.counts, growth: growthIn(samples) };
}

/**
 * Compares what was typical of the first with the least of the last third of what comes after the warm-up. Both ends are lenient
 * to what moves by itself: memory that was freed but not given back and sockets that are being closed add to what a process
 * holds, a server that is just starting again takes away from it. What leaks is in every sample.
 */
export function growthIn(samples: readonly Sample[]): string[] {
  const judged = samples.slice(Math.floor(samples.length * warmUpShare));
  const third = Math.max(1, Math.floor(judged.length / 3));
  return (Object.keys(tolerated) as (keyof Footprint)[]).flatMap((what) => {
    const sorted = (of: readonly Sample[]) => of.map((sample) => sample[what]).sort((one, other) => one - other);
    const first = sorted(judged.slice(0, third))[third >> 1] ?? 0;
    const last = sorted(judged.slice(-third))[0] ?? 0;
    return last - first > tolerated[what](first) ? [`${what} grew from ${first} to ${last}`] : [];
  });
}
