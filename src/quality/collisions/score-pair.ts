import type { Collision } from '../../model/index.ts';
import { stem, vocabulary } from '../../search/index.ts';
import type { ToolAction } from '../tool-action.ts';
import type { ComparedTool } from './compared-tool.ts';
import { overlap, type Rarity } from './word-rarity.ts';

/** How telling the words of names and of descriptions are. */
export interface Rarities {
  nouns: Rarity;
  description: Rarity;
}

/** Shares of the score; those of parts that are missing go to the others. */
const weights = { meaning: 0.35, noun: 0.4, arguments: 0.1, description: 0.15 };
/** What remains of the score where the verbs say opposite things. */
const otherVerb = 0.35;
/** Where a name has no verb, or no noun, that is known. */
const unknown = 0.5;
/** What remains of the nouns where one is a plural of the other. */
const otherNumber = 0.8;
/** Unrelated texts have cosines up to here. */
const cosineFloor = 0.4;

/** How close two tools are, 0–1, and the parts that it comes from. `cosine`: of their vectors, undefined where one has none. */
export function scorePair(
  a: ComparedTool,
  b: ComparedTool,
  cosine: number | undefined,
  rarities: Rarities,
): Pick<Collision, 'score' | 'parts'> {
  const parts = {
    verb: verbCloseness(a.action, b.action),
    noun: nounCloseness(a, b, rarities.nouns),
    description: overlap(a.description, b.description, rarities.description),
    arguments: argumentCloseness(a.parameters, b.parameters),
    ...(cosine === undefined ? {} : { meaning: Math.max(0, (cosine - cosineFloor) / (1 - cosineFloor)) }),
  };
  let [sum, total] = [0, 0];
  for (const part of ['meaning', 'noun', 'arguments', 'description'] as const) {
    const value = parts[part];
    if (value === undefined) continue;
    sum += weights[part] * value;
    total += weights[part];
  }
  const score = (sum / total) * (otherVerb + (1 - otherVerb) * parts.verb);
  const isAlike = parts.verb * parts.noun === 1 || isCopy(a, b, parts);
  return { score: isAlike ? Math.max(score, alike + (1 - alike) * alikeShare * score) : score, parts };
}

/** Tools of the same name, or the same words, are close whatever else differs. */
const alike = 0.65;
/** How far the rest still moves such a pair. */
const alikeShare = 0.3;
/** Share of equal words from which one description is taken for a copy of the other. Short ones are alike by chance. */
const copied = { share: 0.95, words: 5, wordsOfOneNoun: 2, noun: 0.2 };

function isCopy(a: ComparedTool, b: ComparedTool, { description, noun, verb }: Collision['parts']): boolean {
  const words = Math.min(a.description.size, b.description.size);
  const wordsMin = noun === 1 ? copied.wordsOfOneNoun : copied.words;
  return verb > 0 && description >= copied.share && noun >= copied.noun && words >= wordsMin;
}

/** Stems, so that plurals meet; "get_monitor" and "get_monitors" still differ. */
function nounCloseness(a: ComparedTool, b: ComparedTool, rarity: Rarity): number {
  if (a.nouns.size + b.nouns.size === 0) return unknown;
  const isSpeltAlike = a.action.nouns.every((noun) => b.action.nouns.includes(noun) || !b.nouns.has(stem(noun)));
  return overlap(a.nouns, b.nouns, rarity) * (isSpeltAlike ? 1 : otherNumber);
}

/** Equal for verbs that are used for one another; something for two that only read; nothing for "create" and "delete". */
function verbCloseness(a: ToolAction, b: ToolAction): number {
  if (a.kind !== undefined && a.kind === b.kind) return 1;
  const [one = '', other = ''] = [a.verb ?? a.words[0], b.verb ?? b.words[0]].map((word) => stem(word ?? ''));
  if (one === other) return 1;
  if (isOpposite(one, other) || isOpposite(other, one)) return 0;
  const classes = vocabulary().verbClasses(one);
  if (
    vocabulary()
      .verbClasses(other)
      .some((name) => classes.includes(name))
  )
    return 0.7;
  if (a.effect === 'read' && b.effect === 'read') return 0.5;
  return a.kind === undefined || b.kind === undefined ? unknown : 0;
}

/** "activate" and "deactivate". */
function isOpposite(verb: string, other: string): boolean {
  return ['un', 'de', 'dis'].some((prefix) => other === `${prefix}${verb}`) || (verb === 'enabl' && other === 'disabl');
}

/** Weighted share of parameters by the same name; half where neither takes any. */
function argumentCloseness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  if (a.size === 0 && b.size === 0) return 0.5;
  let [shared, all] = [0, 0];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [one, other] = [a.get(name) ?? 0, b.get(name) ?? 0];
    shared += Math.min(one, other);
    all += Math.max(one, other);
  }
  return shared / all;
}
