import { type ChildProcess, fork } from 'node:child_process';

/**
 * Starts an embedding worker from the built `search/embedding/worker.js`. The first request tells it which model to load,
 * so it can be started before that is known. It does not keep the calling process alive, and ends with it.
 */
export function startWorkerProcess(workerPath: string): ChildProcess {
  const worker = fork(workerPath, {
    // Loaders and flags of the calling program are not meant for it. What it makes lives long or not at all, so a small
    // nursery serves as well as the default one, which grows to some 25 MB.
    execArgv: ['--max-semi-space-size=1'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  worker.unref();
  worker.channel?.unref();
  // Whoever sends a request hears of it; unheard, it would end the calling process.
  worker.on('error', () => undefined);
  return worker;
}
