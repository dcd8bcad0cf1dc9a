import type { CallToolResult, ToolSource } from '../model/index.ts';
import { referencedNames, referencesIn } from './anthropic-references.ts';
import type { ModelTool } from './model-tool.ts';
import { type DispatchOptions, ModelTools } from './model-tools.ts';
import { type Accepted, type ResultPart, resultParts, textOnly } from './result-parts.ts';

/** Anthropic `Tool`: goes into `tools` of `messages.create`. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [keyword: string]: unknown };
  cache_control?: CacheControl;
  /** True for a tool that is in the model's context only once a `tool_reference` has named it. */
  defer_loading?: true;
}

export interface CacheControl {
  type: 'ephemeral';
  /** Default `5m`. */
  ttl?: '5m' | '1h';
}

/** Anthropic `ToolResultBlockParam`: goes into the content of the next user message. */
export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: AnthropicResultBlock[];
  is_error?: true;
}

export type AnthropicResultBlock =
  | { type: 'text'; text: string }
  | {
      type: 'image';
      source: { type: 'base64'; media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; data: string };
    }
  | { type: 'document'; source: { type: 'base64'; media_type: 'application/pdf'; data: string } }
  | { type: 'tool_reference'; tool_name: string };

export interface AnthropicOptions {
  /** Marks the end of the tool list as a point for the prompt cache; `false` leaves it out. Default `{ type: 'ephemeral' }`. */
  cacheControl?: CacheControl | false;
  /**
   * Answers `search_tools` with `tool_reference` blocks, so that the model gets the definitions of what it found and calls
   * these tools by their names. `tools` then needs the messages. Default false: the model calls through `call_tool`.
   */
  deferred?: boolean;
  /** Names of tools of the host's own, whose calls `dispatch` leaves alone. */
  ownTools?: readonly string[];
}

export interface AnthropicTools {
  /**
   * The tool list in force. With `deferred`, the tools that `messages` refer to follow, in the order in which they were found:
   * what stood before never changes, and a restart gives the same.
   */
  tools(messages?: readonly unknown[]): AnthropicTool[];
  /**
   * Runs the `tool_use` blocks of an answer, at once and side by side, and gives their results in the same order. Never rejects
   * for what a tool or the model did: that is a result with `is_error`.
   */
  dispatch(content: readonly { type: string }[], options?: DispatchOptions): Promise<AnthropicToolResult[]>;
}

/** The tools of a toolcrib, or of one conversation, for the Messages API of Anthropic. */
export function anthropicTools(source: ToolSource, options: AnthropicOptions = {}): AnthropicTools {
  const { cacheControl = { type: 'ephemeral' }, deferred = false, ownTools = [] } = options;
  const model = new ModelTools(source);
  return {
    tools: (messages = []) => {
      const listed = withCacheControl(model.list().map(toTool), cacheControl);
      return deferred ? [...listed, ...deferredTools(model, listed, messages)] : listed;
    },
    dispatch: (content, dispatchOptions = {}) =>
      Promise.all(
        content
          .filter(isToolUse)
          .filter(({ name }) => !ownTools.includes(name))
          .map(async ({ id, name, input }) => {
            const result = await model.call(name, input, dispatchOptions);
            const references = deferred && name === 'search_tools' ? referencesIn(result) : [];
            return toResult(id, result, references);
          }),
      ),
  };
}

interface ToolUse {
  id: string;
  name: string;
  input: unknown;
}

function isToolUse(block: { type: string }): block is { type: string } & ToolUse {
  return block.type === 'tool_use' && 'name' in block && typeof block.name === 'string';
}

function toTool({ name, description, inputSchema }: ModelTool): AnthropicTool {
  return { name, description, input_schema: { ...inputSchema, type: 'object' } };
}

/** The cache holds everything up to the mark. */
function withCacheControl(tools: AnthropicTool[], cacheControl: CacheControl | false): AnthropicTool[] {
  if (cacheControl === false) return tools;
  return tools.map((tool, index) => (index === tools.length - 1 ? { ...tool, cache_control: cacheControl } : tool));
}

/** The API refuses references to what is not defined, so a tool that is gone since stays as a stub. */
function deferredTools(
  model: ModelTools,
  listed: readonly AnthropicTool[],
  messages: readonly unknown[],
): AnthropicTool[] {
  const names = referencedNames(messages).filter((name) => !listed.some((tool) => tool.name === name));
  const found = new Map(model.named(names).map((tool) => [tool.name, tool]));
  return names.map((name) => {
    const tool = found.get(name);
    const shown = tool === undefined ? goneTool(name) : toTool(tool);
    return { ...shown, defer_loading: true };
  });
}

function goneTool(name: string): AnthropicTool {
  return {
    name,
    description: 'This tool is not available any more.',
    input_schema: { type: 'object', properties: {} },
  };
}

function toResult(id: string, result: CallToolResult, references: readonly string[]): AnthropicToolResult {
  if (references.length > 0) {
    const content = references.map((name) => ({ type: 'tool_reference' as const, tool_name: name }));
    return { type: 'tool_result', tool_use_id: id, content };
  }
  const isError = result.isError === true;
  const content = resultParts(result, isError ? textOnly : accepted).map(toBlock);
  return { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true as const } : {}) };
}

/** With `is_error` the API takes text alone. */
const accepted: Accepted = { images: true, files: true };

function toBlock(part: ResultPart): AnthropicResultBlock {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  const { data } = part;
  return part.kind === 'image'
    ? { type: 'image', source: { type: 'base64', media_type: part.mimeType, data } }
    : { type: 'document', source: { type: 'base64', media_type: part.mimeType, data } };
}
