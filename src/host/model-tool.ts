import type { JsonObject, ToolDefinition } from '../model/index.ts';
import { renameParameters } from './parameter-names.ts';
import { providerName } from './provider-name.ts';
import { providerSchema } from './provider-schema.ts';

/** A tool as every model provider takes it, with the way back to toolcrib. */
export interface ModelTool {
  /** At most 64 characters of `[A-Za-z0-9_-]`. */
  name: string;
  description: string;
  inputSchema: JsonObject;
  /** The name under which toolcrib knows the tool. */
  exposedName: string;
  /** Arguments under the names that the tool itself uses. */
  restore(args: JsonObject): JsonObject;
}

/** Depends on nothing but the definition: equal definitions give equal bytes. */
export function toModelTool({ name, description, inputSchema }: ToolDefinition): ModelTool {
  const { schema: flat, note } = providerSchema(inputSchema);
  const { schema, restore } = renameParameters(flat);
  return {
    name: providerName(name),
    description: note === undefined ? description : `${description}\n${note}`.trimStart(),
    inputSchema: schema,
    exposedName: name,
    restore,
  };
}
