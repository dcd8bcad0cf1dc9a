import { type CallToolResult, isSpecType, type Server } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject, type JsonValue, type CallToolResult as ToolResult } from '../model/index.ts';
import type { Era } from './face.ts';

export interface WireContext {
  era: Era;
  /** The instance that answers: it knows how its protocol revision wraps results. */
  server: Pick<Server, 'projectCallToolResult'>;
  /** The output schema with which the tool is listed, if it has one. */
  outputSchema?: JsonObject | undefined;
}

/**
 * Makes a result fit for the wire, where the SDK would refuse the whole of it: a content block of an unknown or
 * malformed kind becomes text with its JSON, and `structuredContent` that is no object, which revisions before
 * 2026-07-28 cannot carry, moves to text. Metadata of the hop to the upstream server is left out.
 */
export function toWireResult(result: ToolResult, context: WireContext): CallToolResult {
  const { content, structuredContent, isError, _meta, ...others } = result;
  const wire = {
    ...others,
    content: content.map(toWireBlock),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError === undefined ? {} : { isError }),
    ...(_meta === undefined ? {} : { _meta: thirdPartyMeta(_meta) }),
  } as CallToolResult;
  if (context.era === 'modern') return wire;
  if (context.outputSchema === undefined) return moveNonObjectToText(wire);
  // Here the SDK lists a non-object output schema wrapped in an object; a result has to match it.
  return context.server.projectCallToolResult(wire, context.outputSchema);
}

/** Metadata without the keys that belong to one connection: the reserved prefix and the progress token. */
export function thirdPartyMeta(meta: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(meta ?? {}).filter(([key]) => !key.startsWith(reservedPrefix) && key !== 'progressToken'),
  );
}

const reservedPrefix = 'io.modelcontextprotocol/';

function toWireBlock(block: JsonObject): JsonObject {
  return isSpecType.ContentBlock(block) ? block : textBlock(block);
}

function moveNonObjectToText(result: CallToolResult): CallToolResult {
  const { structuredContent, ...rest } = result as CallToolResult & { structuredContent?: JsonValue };
  if (structuredContent === undefined || isJsonObject(structuredContent)) return result;
  const json = JSON.stringify(structuredContent);
  const isThereAlready = rest.content.some((block) => block.type === 'text' && block.text === json);
  return isThereAlready ? rest : { ...rest, content: [...rest.content, { type: 'text', text: json }] };
}

function textBlock(value: JsonValue): JsonObject {
  return { type: 'text', text: JSON.stringify(value) };
}
