import { ToolcribError } from '../errors/index.ts';
import type { Toolcrib } from '../model/index.ts';
import { type CommonOptions, openOptions } from './common-options.ts';
import type { ExitCode } from './exit-code.ts';
import type { CliIo, OpenOptions } from './io.ts';

/** What a command gets: the outside world, and the place for its exit code. */
export interface CommandContext {
  io: CliIo;
  finish(exitCode: ExitCode): void;
}

/** Opens a toolcrib, does the work, and closes it again, also when the work fails or the user interrupts. */
export async function runWithToolcrib(
  { io, finish }: CommandContext,
  options: CommonOptions & Pick<OpenOptions, 'needsModel'>,
  work: (toolcrib: Toolcrib) => Promise<ExitCode>,
): Promise<void> {
  const toolcrib = await io.app.open({ ...openOptions(options), ...(options.needsModel && { needsModel: true }) });
  try {
    finish(await unlessAborted(work(toolcrib), io.signal));
  } finally {
    await toolcrib.close();
  }
}

async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = deferred();
  const onAbort = () =>
    reject(new ToolcribError('cancelled', 'The command was interrupted.', { next: 'Run it again.' }));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}

function deferred(): { promise: Promise<never>; reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}
