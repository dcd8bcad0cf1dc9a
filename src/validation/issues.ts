import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { memberOf } from './json-pointer.ts';
import { nearest } from './nearest.ts';
import { errorsBeyond, mergeUnions } from './unions.ts';
import { cut, enumerate, fieldOf, followReferences, listOf, nameWords, quote, schemaWords, show } from './words.ts';

/**
 * One thing that is wrong with arguments. All texts are short single lines without control or invisible characters; they
 * may hold words of the server or the caller.
 */
export interface ArgumentIssue {
  /** Where: `labels[0].name`; empty for the arguments as a whole. */
  path: string;
  /** The JSON Schema keyword that is broken. */
  rule: string;
  /** What the schema asks for, in a few words. */
  expected: string;
  /** What came, shortened. */
  got: string;
  /** The nearest valid value or name, as a sentence. */
  suggestion?: string;
}

/** A model mends a few things at a time, and one mistake often breaks several rules. */
const issuesMax = 8;

/** Alternatives of alternatives can fill a page. */
const expectedMaxChars = 500;

/** The issues behind ajv's errors: one a field and rule, alternatives told in one. `root` is the schema that was checked. */
export function toIssues(
  args: JsonObject,
  errors: readonly ErrorObject[],
  root: JsonObject,
): { issues: ArgumentIssue[]; more: number } {
  const issues = new Map<string, ArgumentIssue>();
  const told = new Set<string>();
  const untold = new Set<string>();
  for (const error of [...mergeUnions(errors, root), ...errorsBeyond(errors)]) {
    const key = keyOf(error);
    if (issues.size === issuesMax) {
      if (!told.has(key)) untold.add(key);
      continue;
    }
    told.add(key);
    const whole = toIssue(args, error, root);
    const issue = { ...whole, expected: cut(whole.expected, expectedMaxChars) };
    issues.set(JSON.stringify([issue.path, issue.rule, issue.expected]), issue);
  }
  return { issues: [...issues.values()], more: untold.size };
}

/** Two parts of a schema may ask for the same. */
function keyOf({ instancePath, keyword, params, propertyName }: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty, type, limit } = params;
  const asked = [missingProperty, additionalProperty, unevaluatedProperty, type, limit];
  return JSON.stringify([instancePath, keyword, propertyName, ...asked]);
}

function toIssue(args: JsonObject, error: ErrorObject, root: JsonObject): ArgumentIssue {
  const { keyword, params, instancePath, propertyName } = error;
  const data = error.data as JsonValue;
  const got = show(instancePath === '' && propertyName === undefined ? args : data);
  const expected = expectation(error, root);
  const issue = { path: fieldOf(instancePath), rule: keyword, expected, got };
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return missing(issue, String(params.missingProperty), error, root);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknown(issue, String(params.additionalProperty ?? params.unevaluatedProperty), error, root);
    case 'enum':
      return withNearest(issue, data, listOf(params.allowedValues));
    case 'const':
      return withNearest(issue, data, [params.allowedValue as JsonValue]);
    default:
      return propertyName === undefined
        ? issue
        : { ...issue, path: fieldOf(instancePath, propertyName), expected: `a name that is ${expected}` };
  }
}

function missing(issue: ArgumentIssue, name: string, error: ErrorObject, root: JsonObject): ArgumentIssue {
  const { keyword, params, instancePath } = error;
  const properties = propertiesOf(error, root);
  const wanted = schemaWords(memberOf(properties, name), root);
  const near = nearest(
    name,
    namesGiven(error).filter((key) => !Object.hasOwn(properties, key)),
  );
  return {
    ...issue,
    path: fieldOf(instancePath, name),
    expected: keyword === 'required' ? wanted : `${wanted}, as ${nameWords(String(params.property))} is given`,
    got: 'nothing',
    ...(near === undefined ? {} : { suggestion: `Did you mean it by ${quote(near)}?` }),
  };
}

function unknown(issue: ArgumentIssue, name: string, error: ErrorObject, root: JsonObject): ArgumentIssue {
  const declared = Object.keys(propertiesOf(error, root));
  const given = new Set(namesGiven(error));
  const near = nearest(name, [...declared.filter((key) => !given.has(key)), ...declared]);
  return {
    ...issue,
    path: fieldOf(error.instancePath, name),
    expected: declared.length === 0 ? 'no parameters' : `one of the parameters ${enumerate(declared, nameWords)}`,
    got: `an unknown parameter ${quote(name)}`,
    ...(near === undefined ? {} : { suggestion: `Did you mean ${quote(near)}?` }),
  };
}

function withNearest(issue: ArgumentIssue, data: JsonValue, allowed: JsonValue[]): ArgumentIssue {
  if (typeof data !== 'string') return issue;
  const near = nearest(
    data,
    allowed.filter((value) => typeof value === 'string'),
  );
  return near === undefined ? issue : { ...issue, suggestion: `Did you mean ${quote(near)}?` };
}

function propertiesOf({ parentSchema }: ErrorObject, root: JsonObject): JsonObject {
  const properties = memberOf(followReferences(parentSchema as JsonValue | undefined, root), 'properties');
  return isJsonObject(properties) ? properties : {};
}

function namesGiven({ data }: ErrorObject): string[] {
  return isJsonObject(data) ? Object.keys(data) : [];
}

/** What the broken rule asks for. */
function expectation({ keyword, params, message, schema }: ErrorObject, root: JsonObject): string {
  switch (keyword) {
    case 'type':
      return listOf(params.type).join(' or ');
    case 'enum':
      return `one of ${enumerate(listOf(params.allowedValues), show)}`;
    case 'const':
      return show(params.allowedValue as JsonValue);
    case 'anyOf':
    case 'oneOf':
      if (params.passingSchemas) return 'to fit exactly one of the alternatives, not several';
      return `one of: ${enumerate([...new Set(listOf(schema).map((branch) => schemaWords(branch, root)))], (words) => words)}`;
    case 'pattern':
      return `text that fits the pattern ${show(params.pattern as string)}`;
    case 'format':
      return `text in the format ${nameWords(String(params.format))}`;
    case 'uniqueItems':
      return 'no two equal items';
    default:
      return nameWords(plain(message ?? keyword));
  }
}

/** `must be >= 1` → `>= 1`, `must NOT have fewer than 3 items` → `not fewer than 3 items`. */
function plain(message: string): string {
  return message.replace(/^must NOT (?:have )?/, 'not ').replace(/^must (?:be )?/, '');
}
