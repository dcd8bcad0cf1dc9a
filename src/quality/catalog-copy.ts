import type { CallToolResult, JsonObject, SearchResult, Tool, ToolDefinition } from '../model/index.ts';

/** A copy of the catalog in memory, in which definitions may be changed and a model may look around. It calls nothing. */
export interface CatalogCopy {
  /** The first hits, at most 20. */
  search(query: string): Promise<SearchResult>;
  /** What a model is shown: the list in the mode of the live one. */
  listTools(): ToolDefinition[];
  /** Answers the meta-tools that read; it is never given `call_tool`. */
  read(name: string, args: JsonObject): Promise<CallToolResult>;
  /** Puts another definition in the place of a tool's own. */
  replace(tool: Tool, definition: JsonObject): Promise<void>;
  close(): void;
}
