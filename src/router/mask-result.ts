import { type CallToolResult, isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/** A result without secrets in anything that is text; images and other data stay as they are. */
export function maskResult(result: CallToolResult, maskJson: (value: JsonValue) => JsonValue): CallToolResult {
  const { content, structuredContent } = result;
  return {
    ...result,
    content: content.map((block) => (isData(block) ? block : (maskJson(block) as JsonObject))),
    ...(structuredContent === undefined ? {} : { structuredContent: maskJson(structuredContent) }),
  };
}

function isData({ data, resource }: JsonObject): boolean {
  return typeof data === 'string' || (isJsonObject(resource) && typeof resource.blob === 'string');
}
