import type { CallToolResult } from '../model/index.ts';
import { capText, cleanText } from '../render/index.ts';

/** Characters of what a model sent that it gets to see again: enough to find the place. */
const shownChars = 60;

export type ReadArguments = { ok: true; value: unknown } | { ok: false; answer: CallToolResult };

/**
 * The arguments of a call as a provider passes them: a JSON text. One that is no JSON, as when the model ran out of tokens, is
 * not guessed at; the answer says what is wrong and what to send. No text at all stands for no arguments.
 */
export function readArguments(toolName: string, text: string): ReadArguments {
  if (text.trim() === '') return { ok: true, value: {} };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, answer: unreadable(toolName, text) };
  }
}

function unreadable(toolName: string, text: string): CallToolResult {
  const name = capText(cleanText(toolName), shownChars);
  const end = text.slice(-shownChars);
  const words = [
    `invalid_arguments: Not called: the arguments for ${name} are not valid JSON.`,
    `They came as ${text.length} characters that end with ${JSON.stringify(end)}.`,
    'Call again with one complete JSON object: close every string, bracket and brace, and escape line breaks and quotes in strings.',
    'If the arguments were cut off for their length, pass less in one call.',
  ];
  return {
    content: [{ type: 'text', text: words.join(' ') }],
    isError: true,
    _meta: { 'dev.toolcrib/error': { code: 'invalid_arguments', mayHaveRun: false } },
  };
}
