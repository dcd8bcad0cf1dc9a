import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { credentialPattern, namesSecret } from './token-formats.ts';

/** Takes secrets out of texts and of whatever a log line carries: known ones, and what looks like a credential. */
export interface Redactor {
  /** A text of any length, otherwise as it is. */
  mask(text: string): string;
  /** JSON of any size, otherwise as it is. */
  maskJson(value: JsonValue): JsonValue;
  /** A plain copy as `value` makes it, in which also whatever is named like a secret is masked. */
  args(args: JsonObject): JsonObject;
  /** At most 10 000 characters. */
  text(text: string): string;
  /** A plain copy that JSON can carry: errors become `{name, message, …}`, cycles and depths beyond reason are cut. */
  value(value: unknown): unknown;
}

/** Shorter ones would blot out half of every line, and protect nothing. */
const secretMinLength = 4;
/** A log line is for reading: deeper, longer or wider than this is cut. */
const depthMax = 6;
const entriesMax = 100;
const textMaxLength = 10_000;

const mask = '[redacted]';

/** A redactor for these secrets. Longer ones go first, so that one inside of another leaves no rest behind. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = secrets.filter((secret) => secret.length >= secretMinLength).flatMap(spellings);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const pattern = longestFirst.length === 0 ? undefined : new RegExp(longestFirst.map(escapeRegExp).join('|'), 'g');
  const maskText = (input: string) => {
    const clean = pattern === undefined ? input : input.replace(pattern, mask);
    return clean.replace(credentialPattern, mask);
  };
  const text = (input: string) => {
    const clean = maskText(input);
    return clean.length > textMaxLength ? `${clean.slice(0, textMaxLength)}…` : clean;
  };
  const value = (input: unknown) => copy(input, text, 0, new Set());
  return {
    mask: maskText,
    maskJson: (input) => maskJson(input, maskText),
    args: (args) => value(withoutNamedSecrets(args, 0)) as JsonObject,
    text,
    value,
  };
}

function maskJson(value: JsonValue, maskText: (text: string) => string): JsonValue {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map((inner) => maskJson(inner, maskText));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskJson(inner, maskText)]));
}

/** What is cut afterwards anyway need not be searched. */
const searchedMaxLength = 2 * textMaxLength;

function withoutNamedSecrets(value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return value.length > searchedMaxLength ? value.slice(0, searchedMaxLength) : value;
  if (depth > depthMax) return value;
  if (Array.isArray(value)) return value.slice(0, entriesMax).map((inner) => withoutNamedSecrets(inner, depth + 1));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).slice(0, entriesMax);
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      const isSecret = typeof inner === 'string' && namesSecret(key);
      return [key, isSecret ? mask : withoutNamedSecrets(inner, depth + 1)];
    }),
  );
}

/** As it is, inside of a URL, and inside of JSON. */
function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(wellFormed(secret)), JSON.stringify(secret).slice(1, -1)];
}

/** A lone surrogate has no URL form. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function copy(value: unknown, text: (input: string) => string, depth: number, parents: Set<object>): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return text(String(value));
  if (typeof value === 'function') return '[function]';
  if (typeof value === 'number') return text(String(value)) === String(value) ? value : mask;
  if (typeof value !== 'object' || value === null) return value;
  if (parents.has(value)) return '[circular]';
  if (depth === depthMax) return '[deep]';
  const inside = new Set(parents).add(value);
  const next = (inner: unknown) => copy(inner, text, depth + 1, inside);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (value instanceof URL) return text(value.href);
  if (value instanceof Error) return copyError(value, next);
  if (value instanceof Set || Array.isArray(value)) return [...value].slice(0, entriesMax).map(next);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(entries.slice(0, entriesMax).map(([key, inner]) => [text(String(key)), next(inner)]));
}

function copyError(error: Error, next: (inner: unknown) => unknown): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const own = Object.fromEntries(Object.entries(error).map(([key, value]) => [key, next(value)]));
  return {
    ...own,
    name,
    message: next(message),
    ...(stack !== undefined && { stack: next(stack) }),
    ...(cause !== undefined && { cause: next(cause) }),
  };
}
