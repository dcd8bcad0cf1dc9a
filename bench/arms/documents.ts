import type { ToolSet } from '../data/load-tools.ts';

/** A tool as the comparison arms index it: raw text, four columns. */
export interface ToolDocument {
  label: string;
  name: string;
  description: string;
  /** Names and descriptions of the parameters, nested ones included, and their enums. */
  parameters: string;
  server: string;
}

export const documentColumns = ['name', 'description', 'parameters', 'server'] as const;
export type DocumentColumn = (typeof documentColumns)[number];

/** Every tool once: of two with one name on one server the first counts, as in the product. */
export function toolDocuments(toolSet: ToolSet): ToolDocument[] {
  const documents = new Map<string, ToolDocument>();
  for (const { server, tools } of toolSet.servers) {
    for (const tool of tools) {
      const name = String(tool.name);
      const label = toolSet.labelOf(server, name);
      const key = JSON.stringify([server, name]);
      if (!documents.has(key)) documents.set(key, { label, ...toolText(server, tool) });
    }
  }
  return [...documents.values()];
}

/** The four columns of one raw tool. */
export function toolText(server: string, tool: Record<string, unknown>): Omit<ToolDocument, 'label'> {
  const title = typeof tool.title === 'string' ? `${tool.title} ` : '';
  const description = typeof tool.description === 'string' ? tool.description : '';
  return {
    name: String(tool.name),
    description: `${title}${description}`,
    parameters: parameterWords(tool.inputSchema, 0).join(' '),
    server,
  };
}

/** Real schemas nest about ten deep; a schema that contains itself must end somewhere. */
const depthMax = 12;

function parameterWords(schema: unknown, depth: number): string[] {
  if (!isObject(schema) || depth > depthMax) return [];
  const words: string[] = [];
  if (isObject(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      words.push(name, ...ownWords(property), ...parameterWords(property, depth + 1));
    }
  }
  if (isObject(schema.items)) words.push(...ownWords(schema.items), ...parameterWords(schema.items, depth + 1));
  return words;
}

function ownWords(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const words = typeof schema.description === 'string' ? [schema.description] : [];
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((choice) => typeof choice === 'string') : [];
  return [...words, ...choices];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
