import type { JsonObject, ToolEffect } from '../../model/index.ts';

/**
 * What a tool may do, as its annotations say (MCP "ToolAnnotations", with the defaults given there). Without annotations
 * that count, it is taken for the worst.
 */
export function effectOf(annotations: JsonObject | undefined): { effect: ToolEffect; isEffectKnown: boolean } {
  if (annotations?.readOnlyHint === true) return { effect: 'read', isEffectKnown: true };
  if (annotations?.destructiveHint === false) return { effect: 'write', isEffectKnown: true };
  return { effect: 'destructive', isEffectKnown: annotations?.destructiveHint === true };
}
