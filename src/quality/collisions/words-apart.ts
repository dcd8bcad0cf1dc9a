import { stem } from '../../search/index.ts';
import type { ToolAction } from '../tool-action.ts';
import type { ComparedTool } from './compared-tool.ts';
import type { Rarity } from './word-rarity.ts';

const shownMax = 5;
/** A word of the name says more than one of the description, and that more than one of a parameter. */
const weights = { name: 3, description: 1, parameters: 0.6 };
/** Words that more tools have than this tell nobody what a tool is for. */
const rarityMin = 0.25;

/** The words of `tool` that `other` has nowhere, most telling first, as they are written; verbs of one kind are one word. */
export function wordsApart(tool: ComparedTool, other: ComparedTool, rarity: Rarity): string[] {
  const verbs = sameVerbs(tool.action, other.action);
  const serverWords = new Set(
    [tool, other].flatMap(({ tool: { serverId } }) => serverId.toLowerCase().split(/[^\p{L}\p{N}]+/u)).map(stem),
  );
  const own = [...tool.words]
    .filter(
      ([word]) => !other.words.has(word) && !verbs.has(word) && !serverWords.has(word) && !isBareNumber(word, tool),
    )
    .map(([word, written]) => ({ written, weight: rarity(word) * weightOf(word, tool), rarity: rarity(word) }))
    .filter((entry) => entry.rarity >= rarityMin)
    .sort((a, b) => b.weight - a.weight || a.written.localeCompare(b.written));
  return own.slice(0, shownMax).map(({ written }) => written);
}

/** A number tells tools apart in a name (`v2`), not in an example. */
function isBareNumber(word: string, { action }: ComparedTool): boolean {
  return /^\d+$/.test(word) && !action.words.includes(word);
}

function weightOf(word: string, { action, description }: ComparedTool): number {
  if (action.words.some((own) => stem(own) === word)) return weights.name;
  return description.has(word) ? weights.description : weights.parameters;
}

function sameVerbs(a: ToolAction, b: ToolAction): ReadonlySet<string> {
  if (a.kind === undefined || a.kind !== b.kind) return new Set();
  return new Set([a.verb, b.verb].map((verb) => stem(verb ?? '')));
}
