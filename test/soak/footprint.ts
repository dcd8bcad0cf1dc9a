import { readdirSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What this process holds. */
export interface Footprint {
  /** Bytes. */
  rss: number;
  /** Bytes, after a collection. */
  heap: number;
  /** Open file descriptors. */
  files: number;
  /** Handles and requests that Node knows of: `process.getActiveResourcesInfo`. */
  handles: number;
  /** Processes that this one started, and which still run. */
  children: number;
  /** Listeners on the process itself. */
  listeners: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Measures after a collection; Linux alone knows files and children. */
export function footprint(): Footprint {
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    rss,
    heap: heapUsed,
    files: count(() => readdirSync('/proc/self/fd')),
    handles: process.getActiveResourcesInfo().filter((kind) => !passing.has(kind)).length,
    children: count(() => readdirSync('/proc/self/task').flatMap(childrenOf)),
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

/** Come and go with every turn. */
const passing = new Set(['Immediate', 'Timeout', 'TickObject']);

function childrenOf(task: string): string[] {
  return readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
}

function count(read: () => unknown[]): number {
  try {
    return read().length;
  } catch {
    return 0;
  }
}
