/**
 * A program of its own, started by `watchdog-client.ts`: it outlives toolcrib by a moment and ends what toolcrib can
 * no longer end itself, after a SIGKILL or a crash. Its standard input is a pipe from toolcrib with one line for each
 * process group, `+<id>` when it starts and `-<id>` when it is gone; the end of the pipe is the end of toolcrib.
 */
import { createInterface } from 'node:readline';
import { endGroup } from './process-group.ts';

/** Time between SIGTERM and SIGKILL; short, since nobody is left to use the servers. */
const graceMs = 1_500;

const groups = new Set<number>();

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const groupId = Number(line.slice(1));
  if (line.startsWith('+')) groups.add(groupId);
  else if (line.startsWith('-')) groups.delete(groupId);
});
lines.on('close', () => {
  void Promise.all([...groups].map((groupId) => endGroup(groupId, graceMs))).then(() => process.exit(0));
});

// It has to stay until the pipe ends, whatever is sent to the processes around it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
