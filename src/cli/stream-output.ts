import { processEnvironment } from '../config/index.ts';
import type { TextOutput } from './io.ts';

/** Also where a terminal does not know its width and says 0. */
const defaultColumns = 80;

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
    columns: stream.columns || defaultColumns,
    color: isTTY && !isDumb && (env.NO_COLOR ?? '') === '',
    ...(isTTY && !isDumb && env.CI === undefined && { spinnerStream: stream }),
  };
}
