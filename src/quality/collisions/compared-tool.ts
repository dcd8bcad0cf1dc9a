import type { Tool } from '../../model/index.ts';
import { parametersOf } from '../../render/index.ts';
import { stem, stopWords } from '../../search/index.ts';
import { nameWords } from '../name-words.ts';
import { namePrefixes, type ToolAction, toolAction } from '../tool-action.ts';

/** A tool as it is compared with others: its words as stems. */
export interface ComparedTool {
  tool: Tool;
  action: ToolAction;
  nouns: ReadonlySet<string>;
  /** Without stop words and the words that any description has. */
  description: ReadonlySet<string>;
  /** Parameters by their words, with how much each counts. */
  parameters: ReadonlyMap<string, number>;
  /** Every word of name, description and parameters: the stem with a form that it is written in. */
  words: ReadonlyMap<string, string>;
}

/** Descriptions of 34,000 characters exist; what a tool does is said at the start. */
const descriptionMaxChars = 2_000;
/** An optional parameter is often left out by who compares two tools. */
const weights = { required: 1, optional: 0.5 };

/** All tools of a catalog, made ready to be compared. */
export function comparedTools(tools: readonly Tool[]): ComparedTool[] {
  const prefixes = namePrefixes(tools);
  return tools.map((tool) => comparedTool(tool, prefixes.get(tool.serverId)));
}

function comparedTool(tool: Tool, prefix: string | undefined): ComparedTool {
  const action = toolAction(tool.toolName, tool.serverId, prefix);
  const description = tellingWords((tool.description ?? tool.title ?? '').slice(0, descriptionMaxChars));
  const parameters = parametersOf(tool.inputSchema, tool.inputSchema);
  const parameterWords = parameters.flatMap(({ name }) => nameWords(name));
  return {
    tool,
    action,
    nouns: new Set(action.nouns.map(stem)),
    description: new Set(description.map(stem)),
    parameters: new Map(
      parameters.map(({ name, isRequired }) => [
        nameWords(name).map(stem).join(' '),
        isRequired ? weights.required : weights.optional,
      ]),
    ),
    words: new Map([...parameterWords, ...description, ...action.words].map((word) => [stem(word), word])),
  };
}

/** As they are written: `GitHub` is one word. */
function tellingWords(text: string): string[] {
  const silent = stopWords();
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length > 1 && !silent.has(word) && !usual.has(word));
}

/** What descriptions of tools are full of, whatever they do. */
const usual = new Set(
  'tool tools use used using uses return returns returned returning given specific specified provide provided provides existing based allow allows e g eg example optional required default available using via parameter parameters call action operation result results data note information'.split(
    ' ',
  ),
);
