import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue, type ToolDefinition } from '../model/index.ts';

const keyword = 'x-mcp-header';
/** Values that a header cannot hold as they are come in this form, in Base64. */
const encoded = /^=\?base64\?(.*)\?=$/s;

/**
 * What is wrong with the `Mcp-Param-*` headers of a call over HTTP: one is missing, cannot be decoded, or says another value
 * than its argument. Whoever routes by headers must not be told something else than the tool is (MCP 2026-07-28
 * "Streamable HTTP"). Headers of arguments that are not there are ignored; undefined when nothing is wrong.
 */
export function paramHeaderProblem(
  message: unknown,
  headers: IncomingHttpHeaders,
  tools: readonly ToolDefinition[],
): string | undefined {
  if (!isJsonObject(message) || message.method !== 'tools/call' || !isJsonObject(message.params)) return undefined;
  const { name, arguments: args } = message.params;
  const tool = tools.find((listed) => listed.name === name);
  if (tool === undefined) return undefined;
  for (const mirrored of mirroredIn(tool.inputSchema, args)) {
    const header = `Mcp-Param-${mirrored.name}`;
    const sent = headers[header.toLowerCase()];
    // Integers beyond 2^53 - 1 are not mirrored: programs do not agree on them.
    if (sent === undefined && isUnsafe(mirrored.value)) continue;
    if (typeof sent !== 'string') return `${header} is missing, and the arguments have a value for it`;
    const decoded = decode(sent);
    if (decoded === undefined) return `${header} is not valid Base64`;
    const { value } = mirrored;
    const isSame = typeof value === 'number' ? Number(decoded) === value : decoded === String(value);
    if (!isSame) return `${header} says something else than the arguments`;
  }
  return undefined;
}

/** The arguments that a header mirrors, reached through `properties` alone. */
function mirroredIn(schema: JsonObject, value: JsonValue | undefined): { name: string; value: JsonValue }[] {
  const { properties } = schema;
  if (!isJsonObject(properties) || !isJsonObject(value)) return [];
  return Object.entries(properties).flatMap(([key, property]) => {
    const inner = Object.hasOwn(value, key) ? value[key] : undefined;
    if (!isJsonObject(property) || inner === undefined || inner === null) return [];
    const name = property[keyword];
    const isMirrored = typeof name === 'string' && typeof inner !== 'object';
    return [...(isMirrored ? [{ name, value: inner }] : []), ...mirroredIn(property, inner)];
  });
}

function isUnsafe(value: JsonValue): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

function decode(sent: string): string | undefined {
  const base64 = encoded.exec(sent)?.[1];
  if (base64 === undefined) return sent;
  const bytes = Buffer.from(base64, 'base64');
  // Node skips what is no Base64; only what comes out the same was valid.
  return bytes.toString('base64') === base64 ? bytes.toString('utf8') : undefined;
}
