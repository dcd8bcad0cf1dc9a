import {
  compareViews,
  demoConfig,
  diagnose,
  openConsole,
  openFromConfig,
  ownProgram,
  serve,
  version,
} from '../app/commands.ts';
import { userPlaces } from '../config/index.ts';
import type { CliIo } from './io.ts';
import { openBrowser } from './open-browser.ts';
import { streamOutput } from './stream-output.ts';
import { terminalPrompt } from './terminal-prompt.ts';

/** The real world: the streams and signals of this process, and the app. */
export function processIo(): CliIo {
  return {
    stdout: streamOutput(process.stdout),
    stderr: streamOutput(process.stderr),
    app: {
      open: async (options) => (await openFromConfig({ ...options, isOneShot: true })).crib,
      openConsole,
      serve,
      demoConfig,
      compareViews,
      diagnose: (options, onCheck) => diagnose(options, userPlaces(), onCheck),
    },
    version,
    places: userPlaces,
    program: ownProgram(),
    openBrowser,
    ...(process.stdin.isTTY && process.stderr.isTTY && { prompt: terminalPrompt(process.stdin, process.stderr) }),
    signal: interruptSignal(),
  };
}

/** The first interrupt ends the command in order; a second one ends it at once, as it would without us. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
