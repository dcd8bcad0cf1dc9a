import { type Sign, signs } from './signs.ts';

/** What is said near each other belongs together: so many sentences. */
const sentencesTogether = 3;
/** Of 2,500 definitions of real servers, one in a hundred comes to it; `test/policy/scan` counts. */
const suspiciousWeight = 4;
/** A shorter text has no room for an order and what it is about. */
const minCharacters = 30;
const sentenceEnd = /(?<=[.!?;؟।])\s+|(?<=[。！？])/u;

/**
 * Where a folded text (`foldText`) steers the model without any phrase that gives it away: signs that are harmless one by
 * one, such as "before answering", "password" and "need not be mentioned", stand in neighbouring sentences. The first such
 * place, in characters; -1 where nothing adds up.
 */
export function combinedSignsAt(text: string): number {
  if (text.length < minCharacters) return -1;
  const present = signs.filter(({ pattern }) => pattern.test(text));
  // Most texts end here, before they are taken apart.
  if (weightOf(present) < suspiciousWeight) return -1;
  const sentences = text.split(sentenceEnd);
  const found = sentences.map((sentence) => present.filter(({ pattern }) => pattern.test(sentence)));
  const first = sentences.findIndex((_, index) => {
    const near = new Set(found.slice(index, index + sentencesTogether).flat());
    return weightOf([...near]) >= suspiciousWeight;
  });
  return first < 0 ? -1 : text.indexOf(sentences[first] as string);
}

function weightOf(found: readonly Sign[]): number {
  return found.reduce((sum, { weight }) => sum + weight, 0);
}
