import { isJsonObject } from '../model/index.ts';

const keyword = 'x-mcp-header';
/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mirrorableTypes = ['string', 'integer', 'boolean'];
/** Keywords whose value maps names to schemas. */
const schemaMaps = ['$defs', 'definitions', 'patternProperties', 'dependentSchemas'];
/** Keywords whose value is data and no schema. */
const data = ['enum', 'const', 'default', 'examples', 'example'];

/**
 * Why a tool's `x-mcp-header` annotations break the rules of MCP 2026-07-28 ("Streamable HTTP", custom headers), or
 * undefined when they do not. An HTTP client must leave out a tool with such annotations: the server would refuse
 * every call whose headers differ from what it expects.
 */
export function headerProblem(rawTool: unknown): string | undefined {
  const inputSchema = isJsonObject(rawTool) ? rawTool.inputSchema : undefined;
  if (!isJsonObject(inputSchema) || !JSON.stringify(inputSchema).includes(`"${keyword}"`)) return undefined;
  const names = new Set<string>();
  return problemIn(inputSchema, 'elsewhere', names);
}

function problemIn(
  schema: unknown,
  place: 'property' | 'elsewhere' | 'unreachable',
  names: Set<string>,
): string | undefined {
  if (Array.isArray(schema)) return firstProblem(schema, 'unreachable', names);
  if (!isJsonObject(schema)) return undefined;
  if (keyword in schema) {
    const problem = annotationProblem(schema[keyword], schema.type, place === 'property', names);
    if (problem !== undefined) return problem;
  }
  for (const [key, value] of Object.entries(schema)) {
    if (key === keyword || data.includes(key)) continue;
    const isProperties = key === 'properties' && isJsonObject(value);
    const inner = isProperties && place !== 'unreachable' ? 'property' : 'unreachable';
    const isMap = isProperties || (schemaMaps.includes(key) && isJsonObject(value));
    const problem = isMap ? firstProblem(Object.values(value), inner, names) : problemIn(value, 'unreachable', names);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function firstProblem(schemas: readonly unknown[], place: 'property' | 'unreachable', names: Set<string>) {
  for (const schema of schemas) {
    const problem = problemIn(schema, place, names);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function annotationProblem(name: unknown, type: unknown, isProperty: boolean, names: Set<string>): string | undefined {
  if (!isProperty) return `${keyword} stands where no property is reachable by "properties" alone`;
  if (typeof name !== 'string' || !token.test(name)) return `${keyword} is no header name`;
  if (typeof type !== 'string' || !mirrorableTypes.includes(type))
    return `${keyword} "${name}" is on no string, integer or boolean`;
  if (names.has(name.toLowerCase())) return `${keyword} "${name}" is there twice`;
  names.add(name.toLowerCase());
  return undefined;
}
