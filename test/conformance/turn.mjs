// The suite starts the clients of all scenarios at once, some forty processes. A few at a time go on, so that on a small
// machine none of them, nor the suite's own servers, stands still for seconds in mid-request.
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const places = 4;
const lookAgainMs = 50;

/** Resolves when it is this process's turn among those of its working directory, which it keeps until it ends. */
export async function myTurn() {
  for (;;) {
    for (let place = 0; place < places; place += 1) {
      if (!take(join(process.cwd(), `place-${place}`))) continue;
      process.once('exit', () => rmdirSync(join(process.cwd(), `place-${place}`)));
      return;
    }
    await delay(lookAgainMs);
  }
}

function take(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
