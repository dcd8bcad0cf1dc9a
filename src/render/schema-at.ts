import { ToolcribError } from '../errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../model/index.ts';
import { capText, cleanText } from './clean-text.ts';
import { formatPointer, parsePointer } from './pointer.ts';
import { child, resolveRef } from './schema-ref.ts';

export interface SchemaAt {
  parts: string[];
  schema: JsonValue;
}

/** Keys that a message offers. */
const keysShown = 12;
const keyMaxChars = 60;
/** A path as it is repeated. */
const pathMaxChars = 80;
/** Longer pointers lead nowhere: real schemas nest 23 deep. */
const partsMax = 200;

/**
 * The place in an input schema that a JSON Pointer (RFC 6901) names; references are followed on the way, so the paths
 * of collapsed parts lead on. A leading `#` is fine. Throws `invalid_path` with the keys at the last place reached.
 */
export function schemaAt(root: JsonObject, pointer: string): SchemaAt {
  const parts = parsePointer(pointer.trim().replace(unseenStart, '').replace(/^#/, ''));
  if (parts === undefined) {
    throw invalid(
      `Path ${quotePath(pointer)} is not a JSON Pointer, which starts with "/", such as "/properties/owner".`,
    );
  }
  if (parts.length > partsMax) {
    throw invalid(
      `Path ${quotePath(pointer)} has ${parts.length} parts, more than the ${partsMax} that a path may have.`,
    );
  }
  let at: JsonValue = root;
  for (const [index, part] of parts.entries()) {
    const place: JsonValue = resolveRef(at, root).schema;
    const next = child(place, part);
    if (next === undefined) throw deadEnd(pointer, parts.slice(0, index), part, place);
    at = next;
  }
  return { parts, schema: at };
}

/** Nothing that a reader could see in the message. */
const unseenStart = /^\p{C}+/u;

function invalid(message: string, details: { reached?: string } = {}): ToolcribError {
  return new ToolcribError('invalid_path', message, { details });
}

function deadEnd(pointer: string, reached: string[], part: string, place: JsonValue): ToolcribError {
  const where = reached.length === 0 ? 'the top of the schema' : quotePath(formatPointer(reached));
  const keys = Array.isArray(place) ? [`0 to ${place.length - 1}`] : isJsonObject(place) ? Object.keys(place) : [];
  const more = keys.length > keysShown ? ` and ${keys.length - keysShown} more` : '';
  const offered =
    keys.length === 0 ? 'Nothing is below it.' : `It has: ${keys.slice(0, keysShown).map(show).join(', ')}${more}.`;
  return invalid(`Path ${quotePath(pointer)} leads nowhere: ${where} has no ${quote(part)}. ${offered}`, {
    reached: capText(formatPointer(reached), pathMaxChars),
  });
}

function quotePath(path: string): string {
  return JSON.stringify(capText(cleanText(path), pathMaxChars));
}

function quote(text: string): string {
  return JSON.stringify(show(text));
}

function show(text: string): string {
  return capText(cleanText(text), keyMaxChars);
}
