import { type CallToolResult, isJsonObject, type JsonValue } from '../model/index.ts';
import { providerName } from './provider-name.ts';

/** The tools that a search found and that can be called, as providers know them, best first. Empty for a search without any. */
export function referencesIn({ isError, _meta }: CallToolResult): string[] {
  const result = _meta?.['dev.toolcrib/hits'];
  if (isError === true || !isJsonObject(result) || !Array.isArray(result.hits)) return [];
  return result.hits.flatMap((hit) => {
    const isCallable = isJsonObject(hit) && typeof hit.name === 'string' && hit.status === undefined;
    return isCallable ? [providerName(hit.name as string)] : [];
  });
}

/** The names in the `tool_reference` blocks of all tool results, each once, in the order in which they first came. */
export function referencedNames(messages: readonly unknown[]): string[] {
  const results = messages
    .flatMap((message) => blocksOf(message as JsonValue))
    .filter((block) => isJsonObject(block) && block.type === 'tool_result');
  const names = results.flatMap(blocksOf).flatMap((block) => {
    const isReference = isJsonObject(block) && block.type === 'tool_reference';
    return isReference && typeof block.tool_name === 'string' ? [block.tool_name] : [];
  });
  return [...new Set(names)];
}

function blocksOf(holder: JsonValue): JsonValue[] {
  return isJsonObject(holder) && Array.isArray(holder.content) ? holder.content : [];
}
