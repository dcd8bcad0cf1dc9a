import { wordsOf } from '../text/tokenize.ts';
import { queryTerms, saysSomething } from './query-terms.ts';
import { vocabulary } from './vocabulary.ts';

/** One of the requests that a query is made of. */
export interface Clause {
  text: string;
  terms: string[];
}

const sentenceBoundary = /[.;!?。；！？\n]+(?:\s+|$)|\s+[-+]\s+|:\s+/u;
/** Kept as entries of the split, so that parts that belong together can be put together again. */
const joint =
  /(,\s*(?:and\s+|then\s+|but\s+|also\s+|as well as\s+)*|\s+(?:and then|and also|and|then|as well as|before|after|while|plus|or)\s+)/iu;
const opener =
  /^(?:(?:please|kindly|also|then|next|now|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|additionally|furthermore|moreover|afterwards?|after that|once (?:that|this) is done|as well|so|and|or|but|i|we|you|would|could|can|should|will|want|need|like|wish|plan|have|to|i'd|i'll|we'd|let's|let|me|us|help|for me|try|go ahead|it|my goal is)[\s,]+)+/iu;
const question = /^(?:how|what|which|who|where|when|why|whether)$/u;

/** A shorter piece is a remnant, not a request of its own. */
const minWords = 2;
/** Each clause costs one embedding and one scan. */
const maxClauses = 8;

/**
 * The requests that a query is made of; empty when it is but one. Sentences are clauses; within one, a part after a comma
 * or "and" is a clause of its own where it begins with a verb or a question ("… and translate it").
 */
export function splitClauses(query: string): Clause[] {
  const texts = query
    .split(sentenceBoundary)
    .flatMap(splitSentence)
    .map((text) => text.replace(opener, '').trim());
  const clauses = [...new Set(texts)]
    .filter((text) => saysSomething(text, minWords))
    .map((text) => ({ text, terms: queryTerms(text) }));
  return clauses.length > 1 ? clauses.slice(0, maxClauses) : [];
}

function splitSentence(sentence: string): string[] {
  const [first = '', ...rest] = sentence.split(joint);
  const parts = [first];
  for (let index = 0; index + 1 < rest.length; index += 2) {
    const [separator = '', part = ''] = [rest[index], rest[index + 1]];
    if (beginsRequest(part)) parts.push(part);
    else parts.push(`${parts.pop()}${separator}${part}`);
  }
  return parts;
}

function beginsRequest(part: string): boolean {
  const [word] = wordsOf(part.replace(opener, ''));
  return word !== undefined && (vocabulary().isVerb(word) || question.test(word));
}
