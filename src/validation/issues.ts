import type { ErrorObject } from 'ajv';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { nearest } from './nearest.ts';
import { partsOf } from './read-leniently.ts';

/** One thing that is wrong with arguments. All texts may hold words of the server or the caller, uncleaned. */
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

/** The issues behind ajv's errors: one a field and rule, alternatives told in one. */
export function toIssues(args: JsonObject, errors: readonly ErrorObject[]): { issues: ArgumentIssue[]; more: number } {
  const issues = new Map<string, ArgumentIssue>();
  for (const error of withoutEchoes(errors)) {
    const issue = toIssue(args, error);
    issues.set(`${issue.path} ${issue.rule} ${issue.expected}`, issue);
  }
  const all = [...issues.values()];
  return { issues: all.slice(0, issuesMax), more: Math.max(0, all.length - issuesMax) };
}

/**
 * `anyOf` fails together with each of its branches. If one branch got further than the type, its errors say what to
 * mend; else the alternatives are told in one.
 */
function withoutEchoes(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  let kept = errors.filter(({ keyword }) => keyword !== 'if' && keyword !== 'propertyNames');
  for (const union of unions) {
    const inside = kept.filter((error) => error !== union && isWithin(error, union));
    if (inside.length === 0) continue;
    const branches = groupByBranch(inside, union);
    const close = [...branches.values()].filter((branch) => branch.every((error) => !isWrongKind(error, union)));
    const drop = new Set<ErrorObject>(close.length === 1 ? [union, ...inside] : inside);
    for (const error of close.length === 1 ? (close[0] ?? []) : []) drop.delete(error);
    kept = kept.filter((error) => !drop.has(error));
  }
  return kept;
}

function isWithin(error: ErrorObject, union: ErrorObject): boolean {
  return (
    error.schemaPath.startsWith(`${union.schemaPath}/`) ||
    (isAtOrBelow(error.instancePath, union.instancePath) && branchOf(error, union) !== undefined)
  );
}

function isAtOrBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(`${top}/`);
}

function groupByBranch(errors: readonly ErrorObject[], union: ErrorObject): Map<string, ErrorObject[]> {
  const branches = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const branch = branchOf(error, union) ?? '';
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  return branches;
}

function branchOf(error: ErrorObject, union: ErrorObject): string | undefined {
  const prefix = `${union.schemaPath}/`;
  return error.schemaPath.startsWith(prefix) ? error.schemaPath.slice(prefix.length).split('/')[0] : undefined;
}

/** A branch that takes another type, or another tag, was not meant. */
function isWrongKind({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean {
  if (keyword === 'type') return instancePath === union.instancePath;
  return keyword === 'const';
}

function toIssue(args: JsonObject, error: ErrorObject): ArgumentIssue {
  const { keyword, params, instancePath } = error;
  const data = error.data as JsonValue;
  const path = fieldOf(instancePath);
  const issue = { path, rule: keyword, expected: expectation(error), got: show(data) };
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      return missing(issue, String(params.missingProperty), error);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknown(issue, String(params.additionalProperty ?? params.unevaluatedProperty), error);
    case 'enum':
      return withNearest(issue, data, listOf(params.allowedValues));
    case 'const':
      return withNearest(issue, data, [params.allowedValue as JsonValue]);
    default:
      return path === '' ? { ...issue, got: show(args) } : issue;
  }
}

function missing(issue: ArgumentIssue, name: string, { data, parentSchema }: ErrorObject): ArgumentIssue {
  const given = isJsonObject(data) ? Object.keys(data) : [];
  const declared = propertiesOf(parentSchema);
  const near = nearest(
    name,
    given.filter((key) => !declared.includes(key)),
  );
  return {
    ...issue,
    path: join(issue.path, name),
    expected: typeOf(isJsonObject(parentSchema?.properties) ? parentSchema.properties[name] : undefined),
    got: 'nothing',
    ...(near === undefined ? {} : { suggestion: `Did you mean it by ${JSON.stringify(near)}?` }),
  };
}

function unknown(issue: ArgumentIssue, name: string, { data, parentSchema }: ErrorObject): ArgumentIssue {
  const declared = propertiesOf(parentSchema);
  const given = isJsonObject(data) ? Object.keys(data) : [];
  const near = nearest(name, [...declared.filter((key) => !given.includes(key)), ...declared]);
  return {
    ...issue,
    path: join(issue.path, name),
    expected: declared.length === 0 ? 'no parameters' : `one of the parameters ${enumerate(declared)}`,
    got: `an unknown parameter ${JSON.stringify(name)}`,
    ...(near === undefined ? {} : { suggestion: `Did you mean ${JSON.stringify(near)}?` }),
  };
}

function withNearest(issue: ArgumentIssue, data: JsonValue, allowed: JsonValue[]): ArgumentIssue {
  if (typeof data !== 'string') return issue;
  const texts = allowed.filter((value) => typeof value === 'string');
  const near = nearest(data, texts);
  return near === undefined ? issue : { ...issue, suggestion: `Did you mean ${JSON.stringify(near)}?` };
}

/** What the broken rule asks for. */
function expectation({ keyword, params, message, parentSchema, schema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return listOf(params.type).join(' or ');
    case 'enum':
      return `one of ${enumerate(listOf(params.allowedValues))}`;
    case 'const':
      return show(params.allowedValue as JsonValue);
    case 'anyOf':
    case 'oneOf':
      if (keyword === 'oneOf' && params.passingSchemas) return 'to fit exactly one of the alternatives, not several';
      return `one of: ${[...new Set(listOf(schema as JsonValue).map(typeOf))].join(', ')}`;
    case 'pattern':
      return `text that fits the pattern ${show(params.pattern as string)}`;
    case 'format':
      return `text in the format ${String(params.format)}`;
    case 'uniqueItems':
      return 'no two equal items';
    default:
      return plain(message ?? String(parentSchema?.type ?? keyword));
  }
}

/** `must be >= 1` → `>= 1`, `must NOT have fewer than 3 items` → `not fewer than 3 items`. */
function plain(message: string): string {
  return message.replace(/^must NOT (?:have )?/, 'not ').replace(/^must (?:be )?/, '');
}

const valuesShown = 10;

function enumerate(values: readonly JsonValue[]): string {
  const shown = values.slice(0, valuesShown).map(show).join(', ');
  return values.length > valuesShown ? `${shown} and ${values.length - valuesShown} more` : shown;
}

/** A schema in a word or two. */
function typeOf(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema)) return 'any value';
  if (schema.const !== undefined) return show(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${enumerate(schema.enum)}`;
  if (schema.type === undefined)
    return typeof schema.$ref === 'string' ? (schema.$ref.split('/').pop() ?? '') : 'any value';
  return listOf(schema.type).join(' or ');
}

const shownMaxChars = 80;

/** A value as short JSON. */
function show(value: JsonValue): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value) && value.length > 3) return `an array of ${value.length} items`;
  const json = JSON.stringify(typeof value === 'string' ? value.slice(0, shownMaxChars) : value);
  if (typeof value === 'string' && value.length > shownMaxChars)
    return `${json.slice(0, -1)}…" (${value.length} characters)`;
  if (json.length <= shownMaxChars) return json;
  return isJsonObject(value) ? `an object with ${enumerateKeys(value)}` : `${json.slice(0, shownMaxChars)}…`;
}

function enumerateKeys(value: JsonObject): string {
  const keys = Object.keys(value);
  return `${keys.slice(0, valuesShown).join(', ').slice(0, shownMaxChars)}${keys.length > valuesShown ? ', …' : ''}`;
}

/** `/labels/0/name` → `labels[0].name`. */
function fieldOf(path: string): string {
  return partsOf(path).reduce((field, part) => (/^\d+$/.test(part) ? `${field}[${part}]` : join(field, part)), '');
}

function join(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

function propertiesOf(schema: unknown): string[] {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
}

function listOf(value: unknown): JsonValue[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value as JsonValue];
}
