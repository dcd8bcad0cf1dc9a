import type {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

type Sdk = typeof import('@modelcontextprotocol/client');

let loaded: Sdk | undefined;

/** Loads the SDK, which takes 50 ms: only when a server is connected. A search from the catalog goes without. */
export async function loadSdk(): Promise<void> {
  loaded ??= await import('@modelcontextprotocol/client');
}

/** The SDK, for code that runs with a connection. Throws before `loadSdk`. */
export function sdk(): Sdk {
  if (loaded === undefined) throw new Error('The MCP SDK was used before it was loaded.');
  return loaded;
}

/* Before the SDK is loaded, nothing can be an error of it. */

export function isProtocolError(error: unknown): error is ProtocolError {
  return loaded !== undefined && error instanceof loaded.ProtocolError;
}

export function isSdkError(error: unknown): error is SdkError {
  return loaded !== undefined && error instanceof loaded.SdkError;
}

export function isSdkHttpError(error: unknown): error is SdkHttpError {
  return loaded !== undefined && error instanceof loaded.SdkHttpError;
}

function isSseError(error: unknown): error is SseError {
  return loaded !== undefined && error instanceof loaded.SseError;
}

/** The HTTP status that an error of either transport over HTTP stands for. */
export function httpStatusOf(error: unknown): number | undefined {
  if (isSdkHttpError(error)) return error.status;
  return isSseError(error) ? error.code : undefined;
}

export function isInsufficientScopeError(error: unknown): error is InsufficientScopeError {
  return loaded !== undefined && error instanceof loaded.InsufficientScopeError;
}

export function isUnauthorizedError(error: unknown): error is UnauthorizedError {
  return loaded !== undefined && error instanceof loaded.UnauthorizedError;
}
