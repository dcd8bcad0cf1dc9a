import type { UserPlaces } from '../config/index.ts';
import type { ViewDifference } from '../model/index.ts';
import type { Check } from '../setup/index.ts';
import type { OpenOptions } from './open-from-config.ts';

/**
 * What the command line stands on, apart from `index.ts`: a command loads the parts of the program that it needs, in the
 * order in which it needs them.
 */
export { demoConfig } from './demo-config.ts';
export { openConsole } from './open-console.ts';
export { openFromConfig } from './open-from-config.ts';
export { ownProgram } from './own-program.ts';
export { serve } from './serve.ts';
export { version } from './version.ts';

/** What a model sees differently of two exports. Throws `invalid_arguments` for what is none. */
export async function compareViews(before: unknown, after: unknown): Promise<ViewDifference> {
  const { compareViews: compare } = await import('../quality/index.ts');
  return compare(before, after);
}

/** `diagnose` of `diagnose.ts`, which is loaded when it is wanted. */
export async function diagnose(
  options: OpenOptions,
  places: UserPlaces,
  onCheck: (check: Check) => void,
): Promise<void> {
  const { diagnose: run } = await import('./diagnose.ts');
  await run(options, places, onCheck);
}
