import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { JsonObject, JsonValue } from '../../src/model/index.ts';

const optionsPath = fileURLToPath(new URL('../../src/config/options.ts', import.meta.url));

/** The words about each key, as they stand at the types of options in `src/config/options.ts`. */
export class OptionDocs {
  readonly #checker: ts.TypeChecker;
  readonly #source: ts.SourceFile;
  /** Keys without words, as paths: there should be none. */
  readonly undescribed: string[] = [];

  constructor() {
    const program = ts.createProgram([optionsPath], {
      strict: true,
      noEmit: true,
      types: [],
      lib: ['lib.es5.d.ts'],
      allowImportingTsExtensions: true,
      module: ts.ModuleKind.NodeNext,
    });
    const source = program.getSourceFile(optionsPath);
    if (source === undefined) throw new Error(`${optionsPath} cannot be read.`);
    this.#checker = program.getTypeChecker();
    this.#source = source;
  }

  /** Adds `description` to every property of a JSON schema that describes values of this type. */
  describe(schema: JsonObject, typeName: string): void {
    const symbol = this.#checker.getExportsOfModule(this.#moduleSymbol()).find(({ name }) => name === typeName);
    if (symbol === undefined) throw new Error(`${optionsPath} exports no ${typeName}.`);
    this.#describeProperties(schema, this.#checker.getDeclaredTypeOfSymbol(symbol), typeName);
  }

  #moduleSymbol(): ts.Symbol {
    const symbol = this.#checker.getSymbolAtLocation(this.#source);
    if (symbol === undefined) throw new Error(`${optionsPath} is no module.`);
    return symbol;
  }

  #describeProperties(schema: JsonObject, type: ts.Type, path: string): void {
    for (const [key, value] of Object.entries(asObject(schema.properties))) {
      const property = type.getProperty(key);
      const text = property && ts.displayPartsToString(property.getDocumentationComment(this.#checker));
      const node = asObject(value);
      if (text) node.description = text.replace(/\s+/g, ' ');
      else this.undescribed.push(`${path}.${key}`);
      if (property !== undefined) this.#describeValue(node, this.#checker.getTypeOfSymbol(property), `${path}.${key}`);
    }
  }

  #describeValue(schema: JsonObject, type: ts.Type, path: string): void {
    const branches = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(branches)) {
      for (const branch of branches) this.#describeValue(asObject(branch), type, path);
    } else if (schema.properties !== undefined) {
      const match = parts(type).find((part) => this.#fits(part, asObject(schema.properties)));
      if (match !== undefined) this.#describeProperties(schema, match, path);
    } else if (schema.items !== undefined) {
      for (const part of parts(type)) {
        const item = this.#checker.getIndexTypeOfType(part, ts.IndexKind.Number);
        if (item !== undefined && !part.isStringLiteral()) this.#describeValue(asObject(schema.items), item, path);
      }
    }
  }

  /** The part of a union that has these keys and, where they tell parts apart, their fixed values. */
  #fits(part: ts.Type, properties: JsonObject): boolean {
    return Object.entries(properties).every(([key, value]) => {
      const property = part.getProperty(key);
      const fixed = asObject(value).const ?? (asObject(value).enum as JsonValue[] | undefined)?.[0];
      if (property === undefined || key !== 'provider') return property !== undefined;
      return parts(this.#checker.getTypeOfSymbol(property)).some((one) => one.isStringLiteral() && one.value === fixed);
    });
  }
}

function parts(type: ts.Type): ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function asObject(value: JsonValue | undefined): JsonObject {
  return (value ?? {}) as JsonObject;
}
