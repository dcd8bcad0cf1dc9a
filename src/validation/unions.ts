import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { lookUp, partsOf, pointerWithin } from './json-pointer.ts';
import { schemasBelow, schemasInPlace } from './keywords.ts';
import { listOf } from './words.ts';

/** Errors looked at: one value can break thousands of rules, and a few tell enough. */
const errorsMaxCount = 1_000;

/** Unions that are around one value. */
const closingMaxCount = 100;

/** Schemas looked at to tell which branch an error is of. */
const schemasMaxCount = 2_000;

/**
 * `anyOf` and `oneOf` fail together with each of their branches. Keeps the errors of the branch that was meant where one
 * stands out, being the only one for this type of value or with this constant that tells branches apart; else the error
 * of the union alone.
 */
export function mergeUnions(errors: readonly ErrorObject[], root: JsonObject): ErrorObject[] {
  const kept: ErrorObject[] = [];
  let rest = firstOf(errors).filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames');
  // A union's error follows those of its branches, and an outer union's those of an inner one.
  for (let error = rest.pop(); error !== undefined; error = rest.pop()) {
    if (!isUnmatched(error)) {
      kept.unshift(error);
      continue;
    }
    const branches = errorsByBranch(error, rest, root);
    const inner = new Set(branches.flat());
    rest = rest.filter((one) => !inner.has(one));
    const meant = meantBranch(branches, error.instancePath);
    kept.unshift(...(meant === undefined ? [error] : mergeUnions(meant, root)));
  }
  return kept;
}

/** The first errors, and those of the unions that were still open after them. */
function firstOf(errors: readonly ErrorObject[]): ErrorObject[] {
  const first = errors.slice(0, errorsMaxCount);
  const { instancePath = '' } = first.at(-1) ?? {};
  const closing = errors
    .slice(errorsMaxCount)
    .filter((error) => isUnmatched(error) && pointerWithin(instancePath, error.instancePath) !== undefined);
  return [...first, ...closing.slice(0, closingMaxCount)];
}

/** The errors that are too many to be looked at, less those that may be of a union's branches. */
export function errorsBeyond(errors: readonly ErrorObject[]): ErrorObject[] {
  if (errors.length <= errorsMaxCount) return [];
  const unions = new Set(errors.filter(isUnmatched).map(({ instancePath }) => instancePath));
  return errors.slice(errorsMaxCount).filter((error) => {
    const { instancePath } = error;
    if (!isUnmatched(error)) return !isWithin(instancePath, unions);
    return instancePath === '' || !isWithin(parentOf(instancePath), unions);
  });
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function isWithin(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false;
  for (let at = path; ; at = parentOf(at)) {
    if (places.has(at)) return true;
    if (at === '') return false;
  }
}

function isUnmatched({ keyword, params }: ErrorObject): boolean {
  return keyword === 'anyOf' || (keyword === 'oneOf' && !Array.isArray(params.passingSchemas));
}

function errorsByBranch(union: ErrorObject, earlier: readonly ErrorObject[], root: JsonObject): ErrorObject[][] {
  return listOf(union.schema).map((branch) => {
    const schemasByPath = new Map<string, Set<unknown>>();
    return earlier.filter(({ instancePath, parentSchema }) => {
      const path = pointerWithin(instancePath, union.instancePath);
      if (path === undefined) return false;
      const schemas = schemasByPath.get(path) ?? schemasAt(branch, path, root);
      schemasByPath.set(path, schemas);
      return schemas.has(parentSchema);
    });
  });
}

/** All schemas that a branch may hold against the value at a path within its own. */
function schemasAt(branch: JsonValue, path: string, root: JsonObject): Set<unknown> {
  let level = inPlace(isJsonObject(branch) ? [branch] : [], root);
  for (const part of partsOf(path)) {
    level = inPlace(
      [...level].flatMap((schema) => schemasBelow(schema, part)),
      root,
    );
  }
  const names = [...level].map(({ propertyNames }) => propertyNames).filter(isJsonObject);
  return new Set([...level, ...inPlace(names, root)]);
}

/** The schemas, and all that they apply to the same value. */
function inPlace(schemas: readonly JsonObject[], root: JsonObject): Set<JsonObject> {
  const found = new Set<JsonObject>();
  const waiting = [...schemas];
  for (let schema = waiting.pop(); schema !== undefined && found.size < schemasMaxCount; schema = waiting.pop()) {
    if (found.has(schema)) continue;
    found.add(schema);
    const target = lookUp(schema.$ref, root);
    waiting.push(...schemasInPlace(schema), ...(isJsonObject(target) ? [target] : []));
  }
  return found;
}

function meantBranch(branches: readonly ErrorObject[][], place: string): ErrorObject[] | undefined {
  // A branch without errors had those cut off, or behind a reference that is not followed here: it may be the one.
  if (branches.some((errors) => errors.length === 0)) return undefined;
  const ofType = branches.filter((errors) => !errors.some((error) => isOtherType(error, place)));
  const ofKind = ofType.filter((errors) => !errors.some((error) => isOtherKind(error, place)));
  if (ofKind.length === 1) return ofKind[0];
  return ofType.length === 1 ? ofType[0] : undefined;
}

function isOtherType({ keyword, instancePath }: ErrorObject, place: string): boolean {
  return keyword === 'type' && instancePath === place;
}

/** A constant right within the value tells kinds apart: `{"type": "page"}`. So do the values that it may have itself. */
function isOtherKind({ keyword, instancePath, params }: ErrorObject, place: string): boolean {
  if (keyword !== 'enum' && keyword !== 'const') return false;
  const isConstant = keyword === 'const' || listOf(params.allowedValues).length === 1;
  return instancePath === place || (isConstant && partsOf(instancePath.slice(place.length)).length === 1);
}
