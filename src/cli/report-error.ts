import { CommanderError } from 'commander';
import pico from 'picocolors';
import { type ErrorCode, errorCatalog, isToolcribError, messageOf, ToolcribError } from '../errors/index.ts';
import { type ExitCode, exitCodeOf } from './exit-code.ts';
import type { TextOutput } from './io.ts';
import { writeJson } from './output/json.ts';
import { printable } from './output/plain-text.ts';

/** Advice that is written for models, in the words of a shell. */
const shellAdvice: Partial<Record<ErrorCode, string>> = {
  unknown_tool: 'Search for it: toolcrib search "what it should do"',
  invalid_path: 'Run `toolcrib describe TOOL` without --path and use one of the paths shown.',
};

/** Advice that names these was written for a model. */
const metaToolName = /\b(?:search_tools|describe_tool|call_tool)\b/;

/** Tells the user what went wrong and what to do, on stderr, and returns the exit code. */
export function reportError(error: unknown, output: TextOutput, json: boolean): ExitCode {
  const known = asToolcribError(error);
  if (json) writeJson(output, { error: errorAsJson(known) });
  else output.write(errorAsText(known, output));
  return exitCodeOf(known.code);
}

/** Whatever is not raised on purpose is our own fault, or that of the command line. */
function asToolcribError(error: unknown): ToolcribError {
  if (isToolcribError(error)) return error;
  if (error instanceof CommanderError) {
    return new ToolcribError('usage_invalid', error.message.replace(/^error: /, ''), { cause: error });
  }
  return new ToolcribError('internal', messageOf(error), { cause: error });
}

function errorAsJson(error: ToolcribError): Record<string, unknown> {
  const { code, title, message, details } = error;
  const hasDetails = Object.keys(details).length > 0;
  return { code, title, message, next: nextStep(error), ...(hasDetails && { details }) };
}

function errorAsText(error: ToolcribError, output: TextOutput): string {
  const colors = pico.createColors(output.color);
  const head = `${colors.red('error:')} ${colors.bold(error.title)} (${error.code})`;
  const trace = error.code === 'internal' && error.cause instanceof Error ? [String(error.cause.stack)] : [];
  return [head, printable(error.message), `${colors.cyan('next:')} ${printable(nextStep(error))}`, ...trace]
    .map((line) => `${line}\n`)
    .join('');
}

function nextStep(error: ToolcribError): string {
  const isForShell = error.next !== errorCatalog[error.code].next && !metaToolName.test(error.next);
  return isForShell ? error.next : (shellAdvice[error.code] ?? error.next);
}
