import type { ToolId } from './tool.ts';

/** What is counted of a call. */
export interface LimitedCall extends ToolId {
  caller: string;
  /** Full name of the tool, for messages. */
  name: string;
}

/**
 * How many calls may be made, and how many run at once, by caller, server and tool. Owned by `policy`, asked by the router at
 * every call; all in memory. Refusals are `rate_limited` with the time to wait (`details.retryAfterMs`).
 */
export interface CallLimits {
  /** Counts a call, before anyone is asked about it. Rejects with `rate_limited`. */
  count(call: LimitedCall): Promise<void>;
  /** Counts a request that calls no tool. Rejects with `rate_limited`. */
  countRequest(caller: string): Promise<void>;
  /**
   * Waits for a place to run in and gives what hands it back; calling that twice is harmless. Rejects with `rate_limited`
   * where too many wait already, or the wait is too long, and with `cancelled`: nothing has run then.
   */
  enter(call: LimitedCall, signal?: AbortSignal): Promise<() => void>;
}
