import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 5;
const nanosecondsPerMs = 1e6;

/** Runs `work` and tells for how long, at most, it kept the event loop from anything else, in milliseconds. */
export async function longestBlock(work: () => Promise<void>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: resolutionMs });
  monitor.enable();
  await work();
  // The monitor sees a block when its timer fires next.
  await new Promise((resolve) => setTimeout(resolve, 2 * resolutionMs));
  monitor.disable();
  // Samples are intervals between its timer's firings, the wait asked for included.
  return Math.max(0, monitor.max / nanosecondsPerMs - resolutionMs);
}
