import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** This process, as others that share its catalog know it: machine, process id, and what no other process has. */
export function processOwner(): string {
  return `${hostname()}/${process.pid}/${randomBytes(8).toString('hex')}`;
}

/**
 * False for a process of this machine that is gone. Of other machines, and where the id was given to another process since, this
 * tells nothing.
 */
export function mayLive(owner: string): boolean {
  const [host, pid] = owner.split('/');
  if (host !== hostname()) return true;
  // It had our id before us.
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
