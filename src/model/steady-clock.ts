/**
 * Milliseconds since the epoch, by the clock as it stood when the process started: it goes on evenly when the system's clock is
 * set. For waits and ages within one process; what is kept in a file or told to others is dated by `Date.now()`.
 */
export function steadyNow(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
