/**
 * The command line: one file per command, each turning options into one call of a toolcrib and its answer into a table
 * or JSON. Data goes to stdout, everything else to stderr. Imports every folder below through `app`; only `bin` imports it.
 */
import type { ExitCode } from './exit-code.ts';
import { processIo } from './process-io.ts';
import { runCli as runCliWith } from './run-cli.ts';

/** Runs one command line (without the program's own name) and returns its exit code: 0 ok, 1 failed, 2 usage, 3 nothing found. */
export function runCli(argv: readonly string[]): Promise<ExitCode> {
  return runCliWith(argv, processIo());
}
