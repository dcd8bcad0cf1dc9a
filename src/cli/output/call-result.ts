import { type CallToolResult, isJsonObject, type JsonObject } from '../../model/index.ts';
import { formatCount } from '../../render/index.ts';
import { printable } from './plain-text.ts';

/** A result for reading: texts as they are, other content as one line that says what it is. */
export function formatResult(result: CallToolResult, isForTerminal: boolean): string {
  const blocks = result.content.map(formatBlock);
  const hasText = result.content.some(({ type }) => type === 'text');
  if (!hasText && result.structuredContent !== undefined) {
    blocks.push(JSON.stringify(result.structuredContent, null, 2));
  }
  const text = blocks.map((block) => (block.endsWith('\n') ? block : `${block}\n`)).join('');
  return isForTerminal ? printable(text) : text;
}

function formatBlock(block: JsonObject): string {
  if (block.type === 'text') return String(block.text);
  if (block.type === 'resource' && isJsonObject(block.resource)) return formatResource(block.resource);
  if (block.type === 'resource_link') return `[resource link ${String(block.uri)}]`;
  if (typeof block.data === 'string') {
    return `[${String(block.type)} ${String(block.mimeType)}, ${byteCount(block.data)}; --json has the data]`;
  }
  return JSON.stringify(block);
}

function formatResource(resource: JsonObject): string {
  if (typeof resource.text === 'string') return resource.text;
  const size = typeof resource.blob === 'string' ? `, ${byteCount(resource.blob)}; --json has the data` : '';
  return `[resource ${String(resource.uri)}${size}]`;
}

function byteCount(base64: string): string {
  return `${formatCount(Buffer.byteLength(base64, 'base64'))} bytes`;
}
