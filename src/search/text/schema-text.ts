import { isJsonObject, type JsonObject, type JsonValue } from '../../model/index.ts';

/** Deeper parameters are too far from the task to be searched for. */
const maxDepth = 6;
/** Schemas of 23,000 tokens exist; past these limits a tool would match everything. */
const maxNodes = 400;
const maxTextCharacters = 6_000;
const maxDescriptionCharacters = 200;
const maxEnumValues = 30;
const maxEnumCharacters = 40;

/** Keywords that hold a map from names to schemas: for properties the names are searchable. */
const namedChildren = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const listedChildren = ['oneOf', 'anyOf', 'allOf', 'prefixItems'];
const singleChildren = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'];

/**
 * The searchable words of an input schema: parameter names, descriptions and enum values, outermost first, within
 * fixed limits. Does not follow `$ref`: what it points to is reached through `$defs`.
 */
export function schemaText(schema: JsonObject): string {
  const walk = new SchemaWalk();
  walk.run(schema);
  return walk.text();
}

class SchemaWalk {
  private readonly pieces: string[] = [];
  private characters = 0;
  private queue: { node: JsonObject; depth: number }[] = [];
  private nodes = 0;

  /** Breadth first, so that a limit cuts the deepest parts. */
  run(schema: JsonObject): void {
    this.queue.push({ node: schema, depth: 0 });
    for (let entry = this.queue.shift(); entry !== undefined && this.hasRoom(); entry = this.queue.shift()) {
      this.nodes++;
      this.visit(entry.node, entry.depth);
    }
  }

  text(): string {
    return this.pieces.join(' ').slice(0, maxTextCharacters);
  }

  private hasRoom(): boolean {
    return this.nodes < maxNodes && this.characters < maxTextCharacters;
  }

  private visit(node: JsonObject, depth: number): void {
    // The root's own description repeats the tool's.
    if (depth > 0) this.addString(node.description, maxDescriptionCharacters);
    this.addEnum(node.enum);
    if (depth < maxDepth) this.enqueueChildren(node, depth + 1);
  }

  private enqueueChildren(node: JsonObject, depth: number): void {
    for (const keyword of namedChildren) {
      const children = node[keyword];
      if (!isJsonObject(children)) continue;
      for (const [name, child] of Object.entries(children).slice(0, maxNodes)) {
        if (keyword === 'properties') this.addString(name, maxEnumCharacters);
        this.enqueue(child, depth);
      }
    }
    for (const keyword of listedChildren) {
      const children = node[keyword];
      if (Array.isArray(children)) for (const child of children.slice(0, maxNodes)) this.enqueue(child, depth);
    }
    for (const keyword of singleChildren) this.enqueue(node[keyword], depth);
  }

  private enqueue(child: JsonValue | undefined, depth: number): void {
    if (isJsonObject(child)) this.queue.push({ node: child, depth });
  }

  private addEnum(values: JsonValue | undefined): void {
    if (!Array.isArray(values)) return;
    for (const value of values.slice(0, maxEnumValues)) this.addString(value, maxEnumCharacters);
  }

  private addString(value: JsonValue | undefined, limit: number): void {
    if (typeof value !== 'string' || value === '') return;
    const piece = value.slice(0, limit);
    this.pieces.push(piece);
    this.characters += piece.length + 1;
  }
}
