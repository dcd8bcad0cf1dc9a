/**
 * What the command line stands on, apart from `index.ts`: a command loads the parts of the program that it needs, in the
 * order in which it needs them.
 */
export { openConsole } from './open-console.ts';
export { openFromConfig } from './open-from-config.ts';
export { ownProgram } from './own-program.ts';
export { serve } from './serve.ts';
export { version } from './version.ts';
