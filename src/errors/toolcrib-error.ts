import { type ErrorCode, errorCatalog, unknownOutcomeNext } from './catalog.ts';

export interface ToolcribErrorOptions {
  /** What to do next, where the catalogue's general advice can be made exact. */
  next?: string;
  /** Facts for programs: never secrets, never stack traces. */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * Every fault that toolcrib raises on purpose. `message` says what happened, with the value and where it came from;
 * `next` says what to do.
 */
export class ToolcribError extends Error {
  override readonly name = 'ToolcribError';
  readonly code: ErrorCode;
  readonly next: string;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, options: ToolcribErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.next = options.next ?? nextOf(code, options.details);
    this.details = options.details ?? {};
  }

  get title(): string {
    return errorCatalog[this.code].title;
  }
}

/** Nothing is to be called again while nobody knows whether it ran already. */
function nextOf(code: ErrorCode, details: Record<string, unknown> | undefined): string {
  const entry: { next: string; nextIfUnknown?: string } = errorCatalog[code];
  return details?.mayHaveRun === true ? (entry.nextIfUnknown ?? unknownOutcomeNext) : entry.next;
}

/** True for a `ToolcribError`, optionally of one code. */
export function isToolcribError(error: unknown, code?: ErrorCode): error is ToolcribError {
  return error instanceof ToolcribError && (code === undefined || error.code === code);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
