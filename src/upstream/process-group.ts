import { steadyNow } from '../model/index.ts';

/**
 * Process groups: each stdio server leads one of its own, so that whatever it started in turn can be ended with it.
 */

/** Milliseconds between looks at a group that is being ended. */
const pollMs = 25;

/** Sends a signal to every process of a group. False when nobody is left in it. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): boolean {
  return kill(groupId, signal);
}

/** True while the group has a member, dead but unreaped ones included. */
function isGroupAlive(groupId: number): boolean {
  return kill(groupId, 0);
}

/** SIGTERM to the group, SIGKILL to what is left after `graceMs`. */
export async function endGroup(groupId: number, graceMs: number): Promise<void> {
  if (!signalGroup(groupId, 'SIGTERM')) return;
  const deadline = steadyNow() + graceMs;
  while (steadyNow() < deadline) {
    if (!isGroupAlive(groupId)) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  signalGroup(groupId, 'SIGKILL');
}

function kill(groupId: number, signal: NodeJS.Signals | 0): boolean {
  // 0 and 1 would mean our own group and everybody.
  if (!Number.isSafeInteger(groupId) || groupId <= 1) return false;
  try {
    process.kill(process.platform === 'win32' ? groupId : -groupId, signal);
    return true;
  } catch (error) {
    // EPERM: a member changed its user; it is alive all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
