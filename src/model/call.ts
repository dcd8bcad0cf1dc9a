import type { JsonObject, JsonValue } from './json.ts';

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

export interface CallOptions {
  /** Ends the call and tells the server. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** `_meta` of the request: third-party keys and trace context go on to the server. */
  meta?: JsonObject;
}
