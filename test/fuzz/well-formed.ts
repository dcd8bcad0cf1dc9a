import type { CallToolResult, JsonObject } from '../../src/model/index.ts';
import { must } from './target.ts';

/** Throws unless hosts can read the result, and it is no fault of toolcrib itself. */
export function mustBeWellFormed(result: CallToolResult): void {
  must(Array.isArray(result.content), 'content is no list');
  for (const block of result.content) {
    must(typeof block.type === 'string', 'a block without a type');
    must(block.type !== 'text' || typeof block.text === 'string', 'a text block without text');
  }
  must(result.isError === undefined || typeof result.isError === 'boolean', 'isError is no boolean');
  const error = result._meta?.['dev.toolcrib/error'] as JsonObject | undefined;
  must(
    error?.reason !== 'internal' && error?.code !== 'internal',
    `a fault of toolcrib itself: ${JSON.stringify(result)}`,
  );
  JSON.stringify(result);
}
