import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';

/** The keys under which models nest arguments once more. */
const wrapperKeys = ['arguments', 'args', 'params', 'parameters', 'input'];
/** A text in a text in a text is no accident any more. */
const unwrapMax = 3;

/** What came for `call_tool`, read as far as that takes no guess. */
export type ReadCall =
  | { ok: true; name: string; args: JsonObject }
  | {
      ok: false;
      field: 'name' | 'arguments';
      expected: string;
      got: JsonValue | undefined;
      name?: string;
      /** Keys beside `name` and `arguments` that cannot be told to be parameters, with what came. */
      misplaced?: JsonObject;
    };

/** What a name stands for. */
export interface CallTarget {
  /** Names of the parameters that the tool declares. */
  parameters: readonly string[];
  /** Whether another name means the same tool. */
  isNamed(name: string): boolean;
  /** Whether the tool takes these arguments as they are. */
  fits(args: JsonObject): boolean;
  /** Whether the schema says that it admits more parameters than it declares. */
  isOpen: boolean;
}

/**
 * Reads `{name, arguments}` however it comes: as a JSON text, with `arguments` as a JSON text or missing, nested under
 * `arguments`, `args` or `params`, with `name` repeated inside, or with the parameters beside `name`. A tool's own
 * parameters of these names stay untouched, and so does what an open schema admits. `targetOf` looks a name up; `undefined` when no tool has it.
 */
export function readCall(input: unknown, targetOf: (name: string) => CallTarget | undefined): ReadCall {
  const call = outerCall(parsed(input as JsonValue));
  if (!isJsonObject(call))
    return { ok: false, field: 'name', expected: 'an object with name and arguments', got: call };
  const { name } = call;
  if (typeof name !== 'string' || name.trim() === '') {
    return { ok: false, field: 'name', expected: 'the full name of a tool', got: name };
  }
  const target = targetOf(name);
  const given = argumentsOf(call, target);
  if (given === undefined) {
    const { name: _name, arguments: _arguments, ...misplaced } = call;
    return { ok: false, field: 'arguments', expected: 'all parameters inside it', got: misplaced, name, misplaced };
  }
  const args = target === undefined ? parsed(given) : unwrap(given, target);
  if (!isJsonObject(args)) return { ok: false, field: 'arguments', expected: 'an object', got: given, name };
  return { ok: true, name, args };
}

/** `{arguments: {name, arguments}}`: the whole call, one level down. */
function outerCall(call: JsonValue): JsonValue {
  if (!isJsonObject(call) || call.name !== undefined) return call;
  const [only, ...others] = Object.keys(call);
  if (only === undefined || others.length > 0 || !wrapperKeys.includes(only)) return call;
  const inner = parsed(call[only] as JsonValue);
  return isJsonObject(inner) && typeof inner.name === 'string' ? inner : call;
}

/**
 * What stands beside the name are the arguments when there are no others and the tool declares each of them. Otherwise
 * `undefined`, as without them the tool would do something else than was asked.
 */
function argumentsOf(call: JsonObject, target: CallTarget | undefined): JsonValue | undefined {
  const { name: _name, arguments: inside = null, ...beside } = call;
  const given = isNothing(inside) ? {} : inside;
  const keys = Object.keys(beside);
  // An unknown tool is told by its name.
  if (keys.length === 0 || target === undefined) return given;
  if (!isNothing(inside)) return undefined;
  if (keys.every((key) => declares(target, key))) return beside;
  const [only] = keys;
  return keys.length === 1 && only !== undefined && wrapperKeys.includes(only) ? (beside[only] ?? {}) : undefined;
}

function isNothing(given: JsonValue): boolean {
  const value = parsed(given);
  return value === null || value === '' || (isJsonObject(value) && Object.keys(value).length === 0);
}

function unwrap(given: JsonValue, target: CallTarget): JsonValue {
  let args = parsed(given);
  for (let level = 0; level < unwrapMax && isJsonObject(args); level += 1) {
    const inner = unwrapOnce(args, target);
    if (inner === undefined) break;
    // What fits is meant as it is, unless nothing but the tool's own parameters lies inside something unheard of.
    if (target.fits(args) && (target.isOpen || !namesParameters(inner, target))) break;
    args = inner;
  }
  return args;
}

function namesParameters(args: JsonObject, target: CallTarget): boolean {
  const keys = Object.keys(args);
  return keys.length > 0 && keys.every((key) => declares(target, key));
}

function declares(target: CallTarget | undefined, key: string): boolean {
  return target?.parameters.includes(key) ?? false;
}

/** `undefined` when nothing wraps the arguments. */
function unwrapOnce(args: JsonObject, target: CallTarget): JsonObject | undefined {
  const { name, ...others } = args;
  const repeatsName = typeof name === 'string' && !declares(target, 'name') && target.isNamed(name);
  const rest = repeatsName ? others : args;
  const [only, ...more] = Object.keys(rest);
  if (only !== undefined && more.length === 0 && wrapperKeys.includes(only) && !declares(target, only)) {
    const inner = parsed(rest[only] as JsonValue);
    if (isJsonObject(inner)) return inner;
  }
  return repeatsName ? rest : undefined;
}

/** A text that holds an object is that object; texts in texts are read as well. */
function parsed(value: JsonValue): JsonValue {
  let at = value;
  for (let level = 0; level < unwrapMax && typeof at === 'string'; level += 1) {
    try {
      at = JSON.parse(at) as JsonValue;
    } catch {
      return value;
    }
  }
  return isJsonObject(at) ? at : value;
}
