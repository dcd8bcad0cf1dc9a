import type { JsonObject } from './json.ts';

/** Ways of asking a user (MCP "Elicitation"): a form to fill in, or a URL to open. Absent: not possible. */
export interface ElicitationModes {
  form?: boolean;
  url?: boolean;
}

/** The params of `elicitation/create`, as MCP has them. */
export interface ElicitationParams extends JsonObject {
  /** Names the server that asks. */
  message: string;
}

/** A question to the user of a call. */
export interface ElicitationRequest {
  /** Id of the server that asks, as the config names it. */
  server: string;
  /** Full name of the tool that was called. */
  tool: string;
  /** `mode` is `form` (default) with a `requestedSchema`, or `url` with a `url`: show it whole, never open it unasked. */
  params: ElicitationParams;
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
}

/** The user's answer (MCP `ElicitResult`). `content` goes with `accept` of a form. */
export interface ElicitationAnswer {
  action: 'accept' | 'decline' | 'cancel';
  content?: JsonObject;
}
