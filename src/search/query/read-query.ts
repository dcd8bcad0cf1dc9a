import { stem } from '../text/stem.ts';
import { wordsOf } from '../text/tokenize.ts';
import { type Clause, splitClauses } from './clauses.ts';
import { cleanQuery, type LiteralKind, literalKinds, withoutNegations } from './clean-query.ts';
import { glossQuery } from './gloss.ts';
import { queryTerms, tellingWords } from './query-terms.ts';
import { readableShare } from './readable-share.ts';
import { vocabulary } from './vocabulary.ts';

/** A query as the ranking sees it. */
export interface ReadQuery {
  /** Search terms as they were written. */
  terms: string[];
  /** English counterparts of words in other languages. */
  glossTerms: string[];
  /** What the embedding model reads: the query without literal values, or its English reading. */
  embeddedText: string;
  /** The requests the query is made of; empty when it is but one. */
  clauses: Clause[];
  /** Words that tools use, by the everyday term of the query that means them. */
  synonyms: ReadonlyMap<string, readonly string[]>;
  /** Words that tools use for everyday phrases of the query. */
  phraseTerms: string[];
  /** Classes of the actions that the query may ask for; the first is that of its first verb. */
  verbClasses: string[];
  literals: LiteralKind[];
  /** How far an English model can read `embeddedText`, 0–1. */
  readable: number;
}

/** Longest query that is read: past this it is a document. */
const maxQueryCharacters = 4_000;

/** Pure. */
export function readQuery(query: string): ReadQuery {
  const text = withoutNegations(query.slice(0, maxQueryCharacters)).trim();
  const gloss = glossQuery(text);
  const embeddedText = gloss ?? cleanQuery(text);
  return {
    terms: queryTerms(text),
    glossTerms: gloss === undefined ? [] : queryTerms(gloss),
    embeddedText,
    clauses: gloss === undefined ? splitClauses(embeddedText) : [],
    synonyms: synonymsIn(gloss ?? text),
    phraseTerms: vocabulary().phraseTerms(text),
    verbClasses: verbClassesIn(embeddedText),
    literals: literalKinds(text),
    readable: readableShare(embeddedText),
  };
}

function synonymsIn(text: string): ReadonlyMap<string, readonly string[]> {
  const synonyms = new Map<string, readonly string[]>();
  for (const word of tellingWords(text)) {
    const term = stem(word);
    const others = vocabulary()
      .synonymsOf(word)
      .filter((other) => other !== term);
    if (others.length > 0) synonyms.set(term, others);
  }
  return synonyms;
}

/** A word that may be several verbs counts for its two commonest. */
const classesOfWord = 2;

function verbClassesIn(text: string): string[] {
  const classes = wordsOf(text).flatMap((word) => vocabulary().verbClasses(stem(word)).slice(0, classesOfWord));
  return [...new Set(classes)];
}
