import type { Tool } from '../model/index.ts';
import { parameterNames } from '../render/index.ts';

/** True when the tool's input schema declares a parameter of this name, at the top or through `$ref` and `allOf`. */
export function declaresParameter({ inputSchema }: Tool, name: string): boolean {
  return parameterNames(inputSchema).includes(name);
}
