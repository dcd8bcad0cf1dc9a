import {
  type CallToolResult,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ReadResourceResult,
} from '../model/index.ts';
import { stripControls } from '../render/index.ts';

/** Metadata that is not a server's to give: MCP's own describes one hop, and toolcrib's own tells what toolcrib did. */
const reservedPrefixes = ['io.modelcontextprotocol/', 'dev.toolcrib/'];

/** The members that hold words to read, by the type of a block. */
const textMembers: ReadonlyMap<JsonValue | undefined, readonly string[]> = new Map([
  ['text', ['text']],
  ['resource_link', ['name', 'title', 'description']],
]);

/**
 * A server's result on its way to the model: control and ANSI characters leave all text but addresses and structured
 * content, metadata in the name of MCP or toolcrib stays behind, all else is passed on as it is.
 */
export function passThrough(result: CallToolResult): CallToolResult {
  return { ...withoutReserved(result), content: result.content.map(cleanBlock) };
}

/** The same for what a server gave as a resource. */
export function passResource(result: ReadResourceResult): ReadResourceResult {
  return { ...withoutReserved(result), contents: result.contents.map(cleanContent) };
}

function cleanContent(content: JsonObject): JsonObject {
  return cleanMembers(withoutReserved(content), ['text']);
}

function cleanBlock(block: JsonObject): JsonObject {
  const cleaned = cleanMembers(withoutReserved(block), textMembers.get(block.type) ?? []);
  if (block.type !== 'resource' || !isJsonObject(block.resource)) return cleaned;
  return { ...cleaned, resource: cleanContent(block.resource) };
}

function cleanMembers(value: JsonObject, members: readonly string[]): JsonObject {
  const texts = members.flatMap((member) => {
    const text = value[member];
    return typeof text === 'string' ? [[member, stripControls(text)] as const] : [];
  });
  return texts.length === 0 ? value : { ...value, ...Object.fromEntries(texts) };
}

function withoutReserved<Value extends { _meta?: JsonValue }>(value: Value): Value {
  const { _meta, ...rest } = value;
  if (!isJsonObject(_meta)) return value;
  const entries = Object.entries(_meta);
  const kept = entries.filter(([key]) => !reservedPrefixes.some((prefix) => key.startsWith(prefix)));
  if (kept.length === entries.length && kept.length > 0) return value;
  return (kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) }) as Value;
}
