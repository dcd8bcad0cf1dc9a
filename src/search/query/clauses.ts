import { queryTerms } from './query-terms.ts';

/** Where one request ends and the next begins: sentences, commas, "and", "then". */
const boundary =
  /[.;!?。；！？\n]+\s+|,\s*(?:and\s+|then\s+|but\s+|also\s+)?|\s+(?:and\s+then|and\s+also|after\s+that|then|and)\s+/iu;

/** A shorter piece is a list entry ("title, body and labels"), not a request of its own. */
const minTerms = 2;
/** Each clause costs one embedding and one scan. */
const maxClauses = 6;

/** The requests that a query is made of; empty when it is but one. */
export function splitClauses(query: string): string[] {
  const clauses = query
    .split(boundary)
    .map((clause) => clause.trim())
    .filter((clause) => queryTerms(clause).length >= minTerms);
  return clauses.length > 1 ? clauses.slice(0, maxClauses) : [];
}
