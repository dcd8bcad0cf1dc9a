import { isSpecType } from '@modelcontextprotocol/client';
import { type CallToolResult, isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { fault } from './faults.ts';

const reservedPrefix = 'io.modelcontextprotocol/';

/**
 * The result of `tools/call` as the server sent it, with the little that has to change: content of a kind that MCP
 * does not know becomes text that holds its JSON, and metadata that belongs to the protocol is left out. Throws
 * `upstream_error` for what is no result.
 */
export function toCallToolResult(raw: unknown, serverId: string): CallToolResult {
  if (!isJsonObject(raw)) throw noResult(serverId, 'answered the call without a result');
  if (raw.resultType === 'input_required') {
    throw noResult(serverId, 'asked for input from the user during the call, which toolcrib does not support yet');
  }
  if (typeof raw.resultType === 'string' && raw.resultType !== 'complete') {
    throw noResult(serverId, `answered with a result of type "${raw.resultType}", which toolcrib does not support`);
  }
  const meta = isJsonObject(raw._meta) ? withoutReserved(raw._meta) : {};
  return {
    content: contentOf(raw),
    ...(raw.structuredContent === undefined ? {} : { structuredContent: raw.structuredContent }),
    ...(raw.isError === true ? { isError: true } : {}),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}

/** Metadata without the keys that belong to one hop of the protocol. */
export function withoutReserved(meta: JsonObject): JsonObject {
  const kept = Object.entries(meta).filter(([key]) => !key.startsWith(reservedPrefix) && key !== 'progressToken');
  return Object.fromEntries(kept);
}

function contentOf(raw: JsonObject): JsonObject[] {
  if (Array.isArray(raw.content)) return raw.content.map(knownBlock);
  if (raw.content !== undefined && raw.content !== null) return [textOf(raw.content)];
  // Revision 2024-10-07 had the result under this name.
  return raw.toolResult === undefined ? [] : [textOf(raw.toolResult)];
}

function knownBlock(block: JsonValue): JsonObject {
  return isJsonObject(block) && isSpecType.ContentBlock(block) ? block : textOf(block);
}

function textOf(value: JsonValue): JsonObject {
  return { type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) };
}

function noResult(serverId: string, what: string): Error {
  return fault('upstream_error', `Server "${serverId}" ${what}. The call may have run.`, {
    serverId,
    mayHaveRun: true,
  });
}
