import { busyTimeoutMs, type Database } from './database.ts';

/** A write that gives up at once while another process writes: whoever waits here holds up calls. */
export function withoutWaiting<Result>(database: Database, write: () => Result): Result {
  database.pragma('busy_timeout = 0');
  try {
    return write();
  } finally {
    database.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}
