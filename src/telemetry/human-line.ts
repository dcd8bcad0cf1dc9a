import { stripVTControlCharacters } from 'node:util';

/** One short line for a person: `12:03:04 warn  message key=value`. */
export function formatLine(line: Record<string, unknown>): string {
  const { time, level, message, ...fields } = line;
  const clock = String(time).slice(11, 19);
  const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${formatValue(value)}`);
  return `${onOneLine(`${clock} ${String(level).padEnd(5)} ${String(message)}${pairs.join('')}`)}\n`;
}

function formatValue(value: unknown): string {
  if (isError(value)) return formatValue(value.message);
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return /^[^\s"=]+$/.test(text) || typeof value !== 'string' ? text : JSON.stringify(text);
}

/** Texts of servers are among the fields: they must not move the cursor or turn the writing direction. */
function onOneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '');
}

/** The trace of an error is for the JSON form. */
function isError(value: unknown): value is { message: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && 'message' in value;
}
