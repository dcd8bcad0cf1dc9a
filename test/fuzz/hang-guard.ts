import { Worker } from 'node:worker_threads';

/** Lives beside a thread that may never come back: says what it was at, and ends the process. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
let beatAt = performance.now();
let what = 'the start';
parentPort.on('message', (message) => { beatAt = performance.now(); what = message; });
setInterval(() => {
  if (performance.now() - beatAt < workerData) return;
  writeSync(2, 'Hangs at ' + what + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 1_000);
`;

/** Ends the process when no beat came for so long: no timer of its own thread would fire in an endless loop. */
export class HangGuard {
  readonly #worker: Worker;

  constructor(silenceMaxMs: number) {
    this.#worker = new Worker(program, { eval: true, workerData: silenceMaxMs });
    this.#worker.unref();
  }

  /** @param what is tried now */
  beat(what: string): void {
    this.#worker.postMessage(what);
  }

  close(): void {
    void this.#worker.terminate();
  }
}
