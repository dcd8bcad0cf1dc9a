import { type CallToolResult, isJsonObject, isNestedDeeper, type JsonObject, type JsonValue } from '../model/index.ts';
import { fault } from './faults.ts';
import { nestingMaxLevels } from './nesting.ts';
import { sdk } from './sdk.ts';

const reservedPrefix = 'io.modelcontextprotocol/';
/** What toolcrib itself says about a result; a server must not be able to say it. */
const ownPrefix = 'dev.toolcrib/';

/**
 * The result of `tools/call` as the server sent it, with the little that has to change: content of a kind that MCP
 * does not know becomes text that holds its JSON, and metadata that belongs to the protocol or to toolcrib is left out.
 * Throws `upstream_error` for what is no result or is nested too deep.
 */
export function toCallToolResult(raw: unknown, serverId: string): CallToolResult {
  if (!isJsonObject(raw)) throw noResult(serverId, 'answered the call without a result');
  if (isNestedDeeper(raw, nestingMaxLevels)) {
    const what = `its result is nested too deep to pass on: more than ${nestingMaxLevels} levels`;
    throw fault('upstream_error', `The call ran on server "${serverId}", but ${what}.`, { serverId, mayHaveRun: true });
  }
  if (typeof raw.resultType === 'string' && raw.resultType !== 'complete') {
    throw noResult(serverId, `answered with a result of type "${raw.resultType}", which toolcrib does not support`);
  }
  const { _meta: meta } = withoutForeignMeta(raw);
  return {
    content: contentOf(raw),
    ...(raw.structuredContent === undefined ? {} : { structuredContent: raw.structuredContent }),
    ...(saysError(raw.isError) ? { isError: true } : {}),
    ...(isJsonObject(meta) ? { _meta: meta } : {}),
  };
}

/** Metadata without the keys that belong to one hop of the protocol. */
export function withoutReserved(meta: JsonObject): JsonObject {
  const kept = Object.entries(meta).filter(([key]) => !key.startsWith(reservedPrefix) && key !== 'progressToken');
  return Object.fromEntries(kept);
}

/** Servers write all sorts of things where MCP has a boolean; a failure must not pass for a success. */
function saysError(isError: JsonValue | undefined): boolean {
  return Boolean(isError) && isError !== 'false';
}

/** `holder` without the metadata that a server has no say in, and without `_meta` when nothing is left of it. */
export function withoutForeignMeta(holder: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = holder;
  if (!isJsonObject(meta)) return holder;
  const kept = Object.entries(withoutReserved(meta)).filter(([key]) => !key.startsWith(ownPrefix));
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) };
}

function contentOf(raw: JsonObject): JsonObject[] {
  if (Array.isArray(raw.content)) return raw.content.map(knownBlock);
  if (raw.content !== undefined && raw.content !== null) return [textOf(raw.content)];
  // Revision 2024-10-07 had the result under this name.
  return raw.toolResult === undefined ? [] : [textOf(raw.toolResult)];
}

function knownBlock(value: JsonValue): JsonObject {
  if (!isJsonObject(value)) return textOf(value);
  const block = withoutForeignMeta(value);
  if (isJsonObject(block.resource)) block.resource = withoutForeignMeta(block.resource);
  return sdk().isSpecType.ContentBlock(block) ? block : textOf(block);
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
