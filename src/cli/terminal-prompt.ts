import { createInterface } from 'node:readline';

/** Reads answers from a terminal, one line each; undefined when its input ends or `signal` aborts. */
export function terminalPrompt(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
  return (question: string, signal?: AbortSignal): Promise<string | undefined> =>
    new Promise((resolve) => {
      // The terminal does the editing, so that an interrupt stays an interrupt.
      const lines = createInterface({ input, terminal: false });
      const end = (answer?: string) => {
        signal?.removeEventListener('abort', onAbort);
        resolve(answer);
        lines.close();
      };
      const onAbort = () => end();
      signal?.addEventListener('abort', onAbort, { once: true });
      lines.once('line', end);
      lines.once('close', () => end());
      output.write(question);
      if (signal?.aborted) onAbort();
    });
}
