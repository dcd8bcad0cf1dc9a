import { type ErrorCode, errorCatalog } from './catalog.ts';

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
    this.next = options.next ?? errorCatalog[code].next;
    this.details = options.details ?? {};
  }

  get title(): string {
    return errorCatalog[this.code].title;
  }
}

/** True for a `ToolcribError`, optionally of one code. */
export function isToolcribError(error: unknown, code?: ErrorCode): error is ToolcribError {
  return error instanceof ToolcribError && (code === undefined || error.code === code);
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
