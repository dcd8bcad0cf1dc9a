import type { ElicitationAnswer, ElicitationRequest } from './elicitation.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { ToolEffect } from './policy.ts';

/** The result of a tool call as MCP has it (`CallToolResult`), content blocks untouched. */
export interface CallToolResult {
  content: JsonObject[];
  structuredContent?: JsonValue;
  isError?: boolean;
  _meta?: JsonObject;
}

/** One progress tick of a running call (MCP `notifications/progress`). */
export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** The result of `resources/read` as MCP has it: each of `contents` with its `uri` and a `text` or a `blob`. */
export interface ReadResourceResult {
  contents: JsonObject[];
  _meta?: JsonObject;
}

export interface CallOptions {
  /** Ends the call and tells the server. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** `_meta` of the request: third-party keys and trace context go on to the server. */
  meta?: JsonObject;
  /**
   * Who calls, where one program calls for several people: what a server asks goes to the one whose call it is. Default
   * `local`, the same for all.
   */
  principal?: string;
  /**
   * Asks the user what a server wants to know during the call. Without it servers are told that nobody can be asked, and
   * a call that needs an answer ends with an `isError` result that says what was asked.
   */
  onElicitation?: (request: ElicitationRequest) => Promise<ElicitationAnswer>;
  /** Decides, in the name of a person, about a call that the policy asks about; before `onElicitation`, which shows a form. */
  onApproval?: (request: ApprovalQuestion) => Promise<ApprovalAnswer>;
}

/** A call that needs a person's yes: show all of it. */
export interface ApprovalQuestion {
  /** The exposed name. */
  name: string;
  server: string;
  /** Raw name. */
  tool: string;
  /** As they would be sent. */
  arguments: JsonObject;
  effect: ToolEffect;
  /** False where nothing trusted says what the tool does. */
  isEffectKnown: boolean;
  /** Who calls. */
  caller: string;
  /** Which rule asks. */
  reason: string;
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal;
}

/** `timed` allows the same caller the very same call for 15 minutes. Anything else than a yes is a no. */
export type ApprovalAnswer = 'once' | 'timed' | 'no' | boolean;
