import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtExecutable, isolatedEnvironment } from './child-process.ts';

export interface ConsoleProcess {
  /** Each opens the console in one browser. */
  nextLink(): Promise<string>;
  stop(): Promise<void>;
}

/** `toolcrib console` with these options, as a user starts it; `home` is where it finds no config of the user's. */
export function startConsole(options: readonly string[], home: string): ConsoleProcess {
  const child = spawn(process.execPath, [builtExecutable(), 'console', '--no-open', '--json', ...options], {
    cwd: home,
    env: isolatedEnvironment(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    nextLink: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error('toolcrib console ended.');
      return (JSON.parse(value) as { link: string }).link;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      if (!child.kill('SIGTERM')) return;
      await ended;
    },
  };
}
