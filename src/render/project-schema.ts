import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { capText } from './clean-text.ts';
import { formatPointer } from './pointer.ts';
import { refOf, resolveRef } from './schema-ref.ts';

/** How much of a schema is kept. */
export interface Projection {
  /** Levels of schemas in schemas; deeper ones are collapsed. */
  depth: number;
  /** Schema nodes in all; what comes after them is collapsed. */
  nodes: number;
  /** Characters of texts and other data in all; what comes after them is collapsed. */
  chars: number;
  /** Values of an enum; the rest is counted. */
  enumValues: number;
  /** Characters of a description or another text. */
  textChars: number;
}

export interface Projected {
  schema: JsonValue;
  /** How many parts were collapsed. */
  collapsed: number;
  /** True when enums or texts were shortened. */
  isShortened: boolean;
}

/**
 * A copy of `schema` with local references put in place, as far as `projection` allows. A collapsed part keeps its type
 * and has its JSON Pointer, from the input schema's root, under the key `…`; cycles end in one as well. Costs no more
 * than what it returns.
 */
export function projectSchema(
  schema: JsonValue,
  root: JsonObject,
  projection: Projection,
  options: { path?: readonly string[]; mapText?: (text: string) => string } = {},
): Projected {
  const walk = new Walk(root, projection, options.mapText ?? ((text) => text));
  const projected = walk.schema(schema, { depth: 0, path: options.path ?? [], refs: [] });
  return { schema: projected, collapsed: walk.collapsed, isShortened: walk.isShortened };
}

const collapsedKey = '…';

interface Place {
  depth: number;
  path: readonly string[];
  refs: readonly string[];
}

const schemaKeywords = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
const listKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const mapKeywords = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Said by the references put in place, or of no use to who fills in arguments. */
const droppedKeywords = new Set(['$schema', '$id', '$comment', '$defs', 'definitions', '$anchor', '$dynamicAnchor']);
/** Values of keywords that are no schemas, such as `default` and `examples`. */
const dataDepthMax = 12;
/** What a number, `true` or an empty text costs. */
const dataMinChars = 4;

class Walk {
  collapsed = 0;
  isShortened = false;
  #nodes = 0;
  #chars = 0;
  readonly #root: JsonObject;
  readonly #projection: Projection;
  readonly #mapText: (text: string) => string;

  constructor(root: JsonObject, projection: Projection, mapText: (text: string) => string) {
    this.#root = root;
    this.#projection = projection;
    this.#mapText = mapText;
  }

  schema(schema: JsonValue, { depth, path, refs }: Place): JsonValue {
    const resolved = resolveRef(schema, this.#root, refs);
    const at = resolved.schema;
    if (!isJsonObject(at)) return at;
    this.#nodes += 1;
    const isCycle = refOf(at) !== undefined && refs.includes(refOf(at) ?? '');
    const isTooMuch = depth >= this.#projection.depth || this.#isSpent();
    if (isCycle || (isTooMuch && holdsSchemas(at))) return this.#collapse(at, path);
    const entries = Object.entries(at).flatMap(([keyword, value]) => {
      if (droppedKeywords.has(keyword)) return [];
      const place = { depth: depth + 1, path: [...path, keyword], refs: resolved.refs };
      return [[this.#text(keyword), this.#keyword(keyword, value, place)]];
    });
    return Object.fromEntries(entries);
  }

  #keyword(keyword: string, value: JsonValue, place: Place): JsonValue {
    if (listKeywords.has(keyword) && Array.isArray(value)) {
      return value.map((one, index) => this.schema(one, { ...place, path: [...place.path, String(index)] }));
    }
    if (schemaKeywords.has(keyword)) return this.schema(value, place);
    if (mapKeywords.has(keyword) && isJsonObject(value)) {
      const entries = Object.entries(value).map(([name, one]) => [
        this.#text(name),
        this.schema(one, { ...place, path: [...place.path, name] }),
      ]);
      return Object.fromEntries(entries);
    }
    if (keyword === 'enum' && Array.isArray(value)) return this.#enumeration(value);
    return this.#data(value, 0);
  }

  #collapse(schema: JsonObject, path: readonly string[]): JsonObject {
    this.collapsed += 1;
    const { type } = schema;
    return { ...(type === undefined ? {} : { type }), [collapsedKey]: formatPointer(path) };
  }

  #enumeration(values: JsonValue[]): JsonValue[] {
    const shown = values.slice(0, this.#projection.enumValues).map((value) => this.#data(value, 0));
    if (shown.length === values.length) return shown;
    this.isShortened = true;
    return [...shown, `…+${values.length - shown.length}`];
  }

  #data(value: JsonValue, depth: number): JsonValue {
    this.#chars += dataMinChars;
    if (typeof value === 'string') return this.#shorten(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= dataDepthMax || this.#isSpent()) {
      this.isShortened = true;
      return collapsedKey;
    }
    if (Array.isArray(value)) return value.map((one) => this.#data(one, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [this.#text(key), this.#data(one, depth + 1)]));
  }

  #isSpent(): boolean {
    return this.#nodes > this.#projection.nodes || this.#chars > this.#projection.chars;
  }

  #text(text: string): string {
    this.#chars += text.length;
    return this.#mapText(text);
  }

  #shorten(text: string): string {
    const { textChars } = this.#projection;
    const mapped = this.#mapText(text);
    this.#chars += Math.min(mapped.length, textChars);
    if (mapped.length <= textChars) return mapped;
    this.isShortened = true;
    return textChars <= 0 ? collapsedKey : capText(mapped, textChars);
  }
}

/** Only what holds more schemas gains from being collapsed. */
function holdsSchemas(schema: JsonObject): boolean {
  return Object.keys(schema).some(
    (keyword) => mapKeywords.has(keyword) || listKeywords.has(keyword) || schemaKeywords.has(keyword),
  );
}
