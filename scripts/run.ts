import { spawnSync } from 'node:child_process';

/** Runs a program to its end with its output shown, or returned. Throws when it fails. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; isShown?: boolean } = {},
): string {
  const { isShown = false, ...place } = options;
  const result = spawnSync(command, args, {
    ...place,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
  });
  if (result.status === 0) return result.stdout ?? '';
  const output = [result.error?.message, result.stdout, result.stderr].filter(Boolean).join('\n');
  throw new Error(`${[command, ...args].join(' ')} ended with ${result.status}:\n${output}`);
}
