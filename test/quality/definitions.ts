import type { JsonObject } from '../../src/model/index.ts';

/** A definition that no rule has anything to say about, but for what a test changes. */
export function goodTool(name: string, change: JsonObject = {}): JsonObject {
  return {
    name,
    description: `Gives back what ${name} stands for. Use another tool when that is not wanted; nothing is changed by it.`,
    inputSchema: object({ topic: { type: 'string', description: 'What it is about.' } }, ['topic']),
    annotations: { readOnlyHint: true },
    ...change,
  };
}

export function object(properties: JsonObject, required: string[] = []): JsonObject {
  return { type: 'object', properties, required };
}

export function parameter(type: string, description: string, more: JsonObject = {}): JsonObject {
  return { type, description, ...more };
}
