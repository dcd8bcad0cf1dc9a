import { ToolcribError } from '../errors/index.ts';
import { type CallToolResult, isJsonObject, type JsonValue, type ModeDecision } from '../model/index.ts';
import { capText, cleanText, cutPlain, cutText, formatPointer, parsePointer } from '../render/index.ts';
import { cutMetaKey, readLine } from './result-limiter.ts';
import type { ResultStore, StoredResult } from './result-store.ts';
import { textResult } from './results.ts';
import { type CountTokens, charsWithin, surelyFits } from './token-budget.ts';

export interface ReadResultDeps {
  store: ResultStore;
  count: CountTokens;
  /** Of a page. */
  maxTokens: number;
  mode: () => ModeDecision['mode'];
}

/** The input of `toolcrib__read_result`, checked against its schema. */
export interface ReadResultInput {
  handle: string;
  /** Characters. */
  offset?: number;
  /** RFC 6901, into the JSON of the result. */
  pointer?: string;
  /** Characters. */
  limit?: number;
}

/** Names of members shown where a pointer leads nowhere. */
const membersShown = 20;

/**
 * One page of a result that was cut: its characters from `offset` on, or the part that a JSON pointer leads to. Pages put
 * together are the whole text. Throws `handle_expired`, `invalid_path`, `invalid_arguments`.
 */
export async function readResult(
  { store, count, maxTokens, mode }: ReadResultDeps,
  { handle, offset = 0, pointer, limit }: ReadResultInput,
  principal: string,
): Promise<CallToolResult> {
  const stored = store.get(principal, handle);
  const text = pointer === undefined ? stored.text : textAt(stored, pointer);
  if (offset > text.length) throw beyond(offset, text.length);
  const rest = text.length - offset;
  const fits = surelyFits(text.slice(offset, offset + maxTokens + 1), maxTokens) && rest <= maxTokens;
  const within = fits ? undefined : await charsWithin(text, { start: offset, maxTokens }, count);
  const room = Math.max(1, Math.min(within ?? rest, limit ?? rest));
  // Only what begins with a value can be made whole; the rest goes on exactly where the last page ended.
  const cut = offset === 0 && pointer !== undefined ? cutText(text, room) : cutPlain(text.slice(offset), room);
  const end = offset + cut.end;
  const isLast = end >= text.length;
  const next = { handle, ...(pointer === undefined ? {} : { pointer }), offset: end };
  const where = `[toolcrib: characters ${offset}–${end} of ${text.length}. ${isLast ? 'This is the end.' : `Next: ${readLine(next, mode())}`}]`;
  const meta = { handle, offset, totalChars: text.length, ...(isLast ? {} : { nextOffset: end }) };
  const page = textResult(cut.text, { [cutMetaKey]: meta });
  return { ...page, content: [...page.content, { type: 'text', text: where }] };
}

/** A text as it is, all else as JSON. */
function textAt(stored: StoredResult, pointer: string): string {
  const value = valueAt(jsonOf(stored), pointer);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonOf({ structured, text }: StoredResult): JsonValue {
  if (structured !== undefined) return structured;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new ToolcribError('invalid_path', 'This result is not JSON, so no pointer leads into it.', {
      next: 'Read it by "offset", without "pointer".',
    });
  }
}

function valueAt(root: JsonValue, pointer: string): JsonValue {
  const parts = parsePointer(pointer.trim().replace(/^#/, ''));
  if (parts === undefined) throw nowhere(pointer, root, []);
  let at = root;
  for (const [index, part] of parts.entries()) {
    const inner = memberOf(at, part);
    if (inner === undefined) throw nowhere(pointer, at, parts.slice(0, index));
    at = inner;
  }
  return at;
}

function memberOf(value: JsonValue, part: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(part) ? value[Number(part)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
}

function nowhere(pointer: string, at: JsonValue, reached: readonly string[]): ToolcribError {
  const place = reached.length === 0 ? 'The result' : `"${shown(formatPointer(reached))}"`;
  const shownPointer = JSON.stringify(shown(pointer));
  return new ToolcribError('invalid_path', `Pointer ${shownPointer} leads nowhere. ${place} ${membersOf(at)}.`, {
    next: 'Use a pointer that is there, or read by "offset".',
  });
}

function membersOf(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? 'is an empty list' : `is a list of 0–${value.length - 1}`;
  if (!isJsonObject(value)) return `is a ${value === null ? 'null' : typeof value}`;
  const names = Object.keys(value);
  const more = names.length > membersShown ? ` and ${names.length - membersShown} more` : '';
  return `has ${names.slice(0, membersShown).map(shown).join(', ') || 'no members'}${more}`;
}

/** Names are a server's words. */
function shown(name: string): string {
  return capText(cleanText(name), 100);
}

function beyond(offset: number, length: number): ToolcribError {
  return new ToolcribError('invalid_arguments', `Offset ${offset} is past the end: there are ${length} characters.`, {
    next: 'Read from an offset within.',
  });
}
