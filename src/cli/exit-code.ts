import { type ErrorCode, errorCatalog } from '../errors/index.ts';

/** What a command tells the shell. */
export const ExitCode = {
  ok: 0,
  /** Something that should have worked did not. */
  failed: 1,
  /** The command line or the config has to be mended first. */
  usage: 2,
  /** All went well, and there is nothing that fits. */
  nothingFound: 3,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Faults of what was typed, though a model can make them as well. */
const commandLineFaults: ReadonlySet<ErrorCode> = new Set([
  'ambiguous_tool',
  'invalid_arguments',
  'invalid_cursor',
  'invalid_path',
]);

/** The exit code of a command that ended in this error. */
export function exitCodeOf(code: ErrorCode): ExitCode {
  if (code === 'unknown_tool') return ExitCode.nothingFound;
  if (commandLineFaults.has(code)) return ExitCode.usage;
  const { kind } = errorCatalog[code];
  return kind === 'config' || kind === 'usage' ? ExitCode.usage : ExitCode.failed;
}
