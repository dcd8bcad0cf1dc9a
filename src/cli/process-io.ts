import { openFromConfig, serve, version } from '../app/index.ts';
import { processEnvironment } from '../config/index.ts';
import type { CliIo, TextOutput } from './io.ts';

const defaultColumns = 80;

/** The real world: the streams and signals of this process, and the app. */
export function processIo(): CliIo {
  return {
    stdout: streamOutput(process.stdout),
    stderr: streamOutput(process.stderr),
    app: { open: async (options) => openFromConfig(options).crib, serve },
    version,
    signal: interruptSignal(),
  };
}

/**
 * An output that outlives its reader: when a pipe is closed early, as by `head`, the rest is dropped and the command
 * ends as it would have.
 */
export function streamOutput(
  stream: NodeJS.WriteStream,
  env: Readonly<Record<string, string | undefined>> = processEnvironment(),
): TextOutput {
  let isBroken = false;
  stream.on('error', () => {
    isBroken = true;
  });
  const isTTY = stream.isTTY === true;
  const isDumb = env.TERM === 'dumb';
  return {
    write: (text) => {
      if (!isBroken && text !== '') stream.write(text);
    },
    isTTY,
    columns: stream.columns ?? defaultColumns,
    color: isTTY && !isDumb && (env.NO_COLOR ?? '') === '',
    ...(isTTY && !isDumb && env.CI === undefined && { spinnerStream: stream }),
  };
}

/** The first interrupt ends the command in order; a second one ends it at once, as it would without us. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
