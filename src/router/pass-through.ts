import type { CallToolResult, JsonObject } from '../model/index.ts';
import { stripControls } from '../render/index.ts';

/** Keys of MCP's own that describe one hop. */
const reservedPrefix = 'io.modelcontextprotocol/';

/**
 * A server's result on its way to the model: control and ANSI characters leave text blocks, MCP's own metadata stays
 * behind, all else is passed on as it is.
 */
export function passThrough(result: CallToolResult): CallToolResult {
  const { _meta, ...rest } = result;
  const meta = Object.fromEntries(Object.entries(_meta ?? {}).filter(([key]) => !key.startsWith(reservedPrefix)));
  return {
    ...rest,
    content: result.content.map(cleanBlock),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

function cleanBlock(block: JsonObject): JsonObject {
  if (block.type !== 'text' || typeof block.text !== 'string') return block;
  const text = stripControls(block.text);
  return text === block.text ? block : { ...block, text };
}
