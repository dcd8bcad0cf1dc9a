import type { CallToolResult, JsonObject, JsonValue } from '../model/index.ts';
import { capText, cleanText } from '../render/index.ts';
import type { ArgumentIssue } from '../validation/index.ts';
import { errorResult } from './results.ts';

const textMaxChars = 300;

/** Arguments that do not fit: each field with the rule broken, what was expected and what came; then how to call. */
export function argumentProblems(
  toolName: string,
  { issues, more = 0, usage }: { issues: readonly ArgumentIssue[]; more?: number; usage: string },
): CallToolResult {
  const lines = issues.map((issue) => `- ${cleanText(issue.path) || 'arguments'}: ${issueText(issue)}`);
  const text = [
    `Not called: the arguments do not fit ${toolName}.`,
    ...lines,
    ...(more > 0 ? [`- and ${more} more`] : []),
    `Correct them and call again. ${usage}`,
  ].join('\n');
  return errorResult('invalid_arguments', text, { issues: issues.map(toJson) });
}

function issueText({ rule, expected, got, suggestion }: ArgumentIssue): string {
  const hint = suggestion === undefined ? '' : ` ${shown(suggestion)}`;
  return `expected ${shown(expected)}, got ${shown(got)} (${rule}).${hint}`;
}

/** Schemas and arguments are words of others. */
function shown(text: string): string {
  return capText(cleanText(text), textMaxChars);
}

function toJson(issue: ArgumentIssue): JsonObject {
  return Object.fromEntries(Object.entries(issue).map(([key, value]) => [key, shown(String(value)) as JsonValue]));
}
