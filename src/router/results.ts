import { type ErrorCode, errorCatalog, isToolcribError, outcomeOf, type ToolcribError } from '../errors/index.ts';
import { type CallToolResult, isJsonObject, type JsonObject } from '../model/index.ts';
import { cleanText } from '../render/index.ts';

/** Metadata for programs: what went wrong. */
const errorMetaKey = 'dev.toolcrib/error';
/** Metadata for programs: the data of a search. */
export const hitsMetaKey = 'dev.toolcrib/hits';

export function textResult(text: string, meta?: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text }], ...(meta === undefined ? {} : { _meta: meta }) };
}

/**
 * A fault that the model reads: the outcome, what happened, what to do next. Programs get the outcome as `code` and, where
 * an error of ours says it more exactly, that as `reason`.
 */
export function errorResult(code: ErrorCode, text: string, details: JsonObject = {}): CallToolResult {
  const outcome = outcomeOf(code, details.mayHaveRun === true);
  const meta = { code: outcome, ...(outcome === code ? {} : { reason: code }), ...details };
  return { ...textResult(`${outcome}: ${text}`, { [errorMetaKey]: meta }), isError: true };
}

/** What came of a call, for the record. */
export function outcomeIn({ isError, _meta }: CallToolResult): string {
  if (isError !== true) return 'ok';
  const error = _meta?.[errorMetaKey];
  return isJsonObject(error) && typeof error.code === 'string' ? error.code : 'tool_error';
}

/** False for faults of toolcrib itself and of the catalog file, which are for its user: their messages may name files. */
export function isForModels(error: unknown): error is ToolcribError {
  return isToolcribError(error) && errorCatalog[error.code].kind !== 'catalog';
}

/**
 * A thrown fault as a result. Only facts that are meant for models leave: no cause, no stack, none of the reasons that
 * may name commands and files.
 */
export function faultResult(error: ToolcribError): CallToolResult {
  const { server, mayHaveRun, rpcCode, approvalId, retryAfterMs } = error.details;
  return errorResult(error.code, `${cleanText(error.message)} ${error.next}`, {
    ...(typeof server === 'string' ? { server } : {}),
    ...(typeof mayHaveRun === 'boolean' ? { mayHaveRun } : {}),
    ...(typeof rpcCode === 'number' ? { rpcCode } : {}),
    ...(typeof approvalId === 'string' ? { approvalId } : {}),
    ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
  });
}
