import type { JsonValue, ModelView } from '../../model/index.ts';
import { formatCount, plural } from '../../render/index.ts';

/** A view as a page for people. Text of servers stands in fences that it cannot end. */
export function viewMarkdown({ mode, instructions, tools, tokens, tokenizer, descriptions = {} }: ModelView): string {
  const parts = [
    `# What a model sees: ${mode} mode`,
    `${plural(tools.length, 'tool')}, ${formatCount(tokens)} tokens (${tokenizer}).`,
    '## Instructions',
    fenced('text', instructions),
    '## Tools',
    ...tools.flatMap(({ name, description, ...rest }) => [
      `### ${heading(name)}`,
      fenced('text', description),
      fenced('json', pretty(rest)),
    ]),
    ...(Object.keys(descriptions).length === 0 ? [] : ['## What describe_tool answers']),
    ...Object.entries(descriptions).flatMap(([name, text]) => [`### ${heading(name)}`, fenced('text', text)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Exposed names hold nothing that Markdown reads but `_`. */
function heading(name: string): string {
  return name.replaceAll('_', '\\_');
}

function pretty(value: Record<string, JsonValue>): string {
  return JSON.stringify(value, null, 2);
}

/** The fence is longer than any that the text holds. */
function fenced(language: string, text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
