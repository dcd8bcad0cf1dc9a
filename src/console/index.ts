/**
 * The console: a web page for people on this machine, and the API behind it. It shows what is in the catalog and passes on
 * what a person decides; it decides nothing itself. `page/` is bundled by vite and knows this folder by `shapes.ts` alone.
 * Imports what lies below the router; its collaborators come as a `ConsoleSource`, put together in `app`.
 */
export { Console } from './console.ts';
export { serveConsole } from './serve-console.ts';
export type { ConsoleSource } from './source.ts';
