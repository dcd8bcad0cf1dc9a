/**
 * The public API of toolcrib: everything a host may import, by name. What is not here may change without notice.
 */
export { type CreateOptions, createToolcrib } from './app/index.ts';
export { type ErrorCode, errorCatalog, isToolcribError, ToolcribError } from './errors/index.ts';
export type {
  CallOptions,
  CallToolResult,
  DescribeOptions,
  ElicitationAnswer,
  ElicitationParams,
  ElicitationRequest,
  IngestReport,
  JsonObject,
  JsonValue,
  LogEntry,
  Progress,
  SearchArm,
  SearchDetail,
  SearchHit,
  SearchNote,
  SearchNoteCode,
  SearchOptions,
  SearchResult,
  ServerListing,
  ServerState,
  ServerStateName,
  SettleProgress,
  Stats,
  SyncReport,
  Toolcrib,
  ToolcribEvents,
  ToolDefinition,
  ToolDescription,
  ToolListing,
  ToolStatus,
} from './model/index.ts';
