import { splitClauses } from './clauses.ts';
import { glossQuery } from './gloss.ts';
import { queryTerms } from './query-terms.ts';
import { readableShare } from './readable-share.ts';

/** A query as the two arms see it. */
export interface ReadQuery {
  /** Search terms as they were written. */
  terms: string[];
  /** English counterparts of words in other languages. */
  glossTerms: string[];
  /** What the embedding model reads: the query, or its English reading. */
  embeddedText: string;
  /** The requests the query is made of; empty when it is but one. */
  clauses: string[];
  /** How far the model can read `embeddedText`, 0–1. */
  readable: number;
}

/** Longest query that is read: past this it is a document. */
const maxQueryCharacters = 4_000;

/** Pure. */
export function readQuery(query: string): ReadQuery {
  const text = query.slice(0, maxQueryCharacters).trim();
  const gloss = glossQuery(text);
  const embeddedText = gloss ?? text;
  return {
    terms: queryTerms(text),
    glossTerms: gloss === undefined ? [] : queryTerms(gloss),
    embeddedText,
    clauses: gloss === undefined ? splitClauses(text) : [],
    readable: readableShare(embeddedText),
  };
}
