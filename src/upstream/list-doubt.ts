import { isToolcribError, messageOf } from '../errors/index.ts';
import { steadyNow } from '../model/index.ts';

/** Pause between two lists that calls to unknown tools led to. */
const minIntervalMs = 10_000;

/** JSON-RPC. */
const [methodNotFound, invalidParams] = [-32601, -32602];
/** MCP 2026-07-28 "Streamable HTTP": the headers of a request do not say what its body says. */
const headerMismatch = -32020;

/** Whether our list is out of date, by what calls fail with. */
export class ListDoubt {
  #raisedAt = Number.NEGATIVE_INFINITY;

  /** True where the list should be fetched anew; not again for some time then. */
  isRaisedBy(error: unknown): boolean {
    if (!saysListIsOld(error) || steadyNow() - this.#raisedAt < minIntervalMs) return false;
    this.#raisedAt = steadyNow();
    return true;
  }
}

/** True for a call that was refused unread, since our list tells other headers than the server expects by now. */
export function isHeaderMismatch(error: unknown): boolean {
  return rpcCodeOf(error) === headerMismatch;
}

function saysListIsOld(error: unknown): boolean {
  const code = rpcCodeOf(error);
  if (code === invalidParams) return /unknown|not found|no such/i.test(messageOf(error));
  return code === methodNotFound || code === headerMismatch;
}

function rpcCodeOf(error: unknown): unknown {
  return isToolcribError(error, 'upstream_error') ? error.details.rpcCode : undefined;
}
