import type { LiteralKind } from '../query/clean-query.ts';
import type { ReadQuery } from '../query/read-query.ts';
import { vocabulary } from '../query/vocabulary.ts';
import { topIndexes } from '../top-indexes.ts';
import type { Candidate, CandidateCosines } from './candidates.ts';
import { type ClauseFit, clauseFits } from './clause-fits.ts';
import type { Features } from './feature-names.ts';
import { completeCosines } from './impute.ts';
import { bm25f, coverageOf, minScore, type SlottedTerm } from './keyword-features.ts';
import { QuerySlots, unknownSlot } from './query-slots.ts';
import { rarity, type TermStatistics, weightedTerms } from './term-weights.ts';
import { isVerb, part, partsOf, termsOfServer } from './tool-profile.ts';

/** A name's word that only a synonym, or the verb's class, accounts for. */
const inexactNameWord = 0.6;
const maxSynonymsInName = 2;

/** Parameters that take a kind of value, by terms of their names and descriptions. */
const valueTerms: Record<LiteralKind, readonly string[]> = {
  url: ['url', 'uri', 'link', 'domain', 'websit'],
  path: ['path', 'file', 'filenam', 'filepath'],
  email: ['email', 'recipi', 'to'],
  date: ['date', 'time', 'start', 'end', 'day', 'month'],
};

/**
 * Candidates that are ranked in full: those with the best fit by words and meaning together. Further ones were never among
 * the ten best.
 */
const fullyRanked = 60;
/** How much a name that is near the query counts in that choice. */
const nameWeight = 0.3;

/** The features of those candidates that come first by a plain look, and of all that `isNamed` holds for; in their order. Pure. */
export function candidateFeatures(
  query: ReadQuery,
  candidates: readonly Candidate[],
  statistics: TermStatistics,
  isNamed: (toolKey: number) => boolean = () => false,
): { candidate: Candidate; features: Features }[] {
  return new FeatureReader(query, candidates, statistics).read(isNamed);
}

class FeatureReader {
  readonly #query: ReadQuery;
  readonly #candidates: readonly Candidate[];
  readonly #statistics: TermStatistics;
  readonly #slots: QuerySlots;
  readonly #terms: SlottedTerm[];
  readonly #totalWeight: number;
  readonly #queryTerms: ReadonlySet<string>;
  readonly #querySlots: ReadonlySet<number>;
  readonly #synonymSlots: ReadonlySet<number>;
  readonly #phraseSlots: readonly number[];
  /** What was asked about each candidate, in order: see `QuerySlots.read`. */
  readonly #occurrences: readonly Uint32Array[];
  readonly #namedShares = new Map<string, number>();

  constructor(query: ReadQuery, candidates: readonly Candidate[], statistics: TermStatistics) {
    this.#query = query;
    this.#candidates = candidates;
    this.#statistics = statistics;
    const terms = weightedTerms(query, statistics);
    this.#totalWeight = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
    this.#queryTerms = new Set(terms.map(({ term }) => term));
    const phraseTerms = query.phraseTerms.filter(
      (term) => !this.#queryTerms.has(term) && statistics.frequencyOf(term) > 0,
    );
    const alike = [...terms.flatMap(({ synonyms }) => synonyms), ...phraseTerms];
    const inClauses = query.clauses.flatMap((clause) => clause.terms);
    const ofValues = query.literals.flatMap((kind) => valueTerms[kind]);
    const slots = new QuerySlots([...this.#queryTerms, ...alike, ...inClauses, ...ofValues]);
    const slotsOf = (others: readonly string[]) => others.map((term) => slots.of(term));
    this.#slots = slots;
    this.#terms = terms.map(({ term, weight, synonyms }) => {
      return { slot: slots.of(term), weight, synonymSlots: slotsOf(synonyms) };
    });
    this.#querySlots = new Set(slotsOf([...this.#queryTerms]));
    this.#synonymSlots = new Set(slotsOf(alike));
    this.#phraseSlots = slotsOf(phraseTerms);
    this.#occurrences = candidates.map(({ profile }) => slots.read(profile));
  }

  read(isNamed: (toolKey: number) => boolean): { candidate: Candidate; features: Features }[] {
    const candidates = this.#candidates;
    const keywordScores = this.#occurrences.map((occurrences) => bm25f(occurrences, this.#terms));
    const cosines = completeCosines(candidates, keywordScores);
    const ofClauses = this.#query.clauses.map(({ terms }) => this.#weighted(terms));
    const clauses = clauseFits(ofClauses.length === 0 ? [this.#terms] : ofClauses, this.#occurrences, cosines);
    const bestKeywords = Math.max(minScore, ...keywordScores);
    const servers = this.#serverBests(keywordScores, cosines);
    const promise = candidates.map((_, index) => {
      return (clauses[index] as ClauseFit).clauseFit + nameWeight * (cosines[index] as CandidateCosines).nameOfClause;
    });
    const isFirst = new Set(topIndexes(promise, fullyRanked));
    const read: { candidate: Candidate; features: Features }[] = [];
    for (const [index, candidate] of candidates.entries()) {
      if (!isFirst.has(index) && !isNamed(candidate.toolKey)) continue;
      const cosine = cosines[index] as CandidateCosines;
      const fit = clauses[index] as ClauseFit;
      const occurrences = this.#occurrences[index] as Uint32Array;
      const words = this.#words(candidate, occurrences);
      const action = this.#action(candidate);
      const values = this.#values(occurrences);
      const keywords = keywordScores[index] as number;
      const server = servers.get(candidate.name.serverId);
      // One literal: spreading several takes longer than all the arithmetic.
      const features: Features = {
        cosine: cosine.whole,
        cosineBest: Math.max(cosine.whole, cosine.name),
        nameCosine: cosine.name,
        nameCosineOfClause: cosine.nameOfClause,
        clauseCosine: fit.clauseCosine,
        clauseFit: fit.clauseFit,
        clauseKeywords: fit.clauseKeywords,
        clauseKeywordsRelative: fit.clauseKeywordsRelative,
        keywords: keywords / bestKeywords,
        keywordsAbsolute: keywords / this.#totalWeight,
        coverage: words.coverage.anywhere,
        nameCoverage: words.coverage.name,
        descriptionCoverage: words.coverage.description,
        parametersCoverage: words.coverage.parameters,
        synonymCoverage: words.coverage.withSynonyms,
        synonymNameCoverage: words.coverage.nameWithSynonyms,
        synonymsInName: words.synonymsInName,
        phraseCoverage: words.phraseCoverage,
        namePrecision: words.namePrecision,
        serverKeywords: (server?.keywords ?? 0) / bestKeywords,
        serverCosine: server?.cosine ?? 0,
        serverNamed: this.#serverNamed(candidate.name.serverId),
        verbMatch: action.verbMatch,
        firstVerbMatch: action.firstVerbMatch,
        polarityClash: action.polarityClash,
        deletesUnasked: action.deletesUnasked,
        takesUrl: values.takesUrl,
        takesPath: values.takesPath,
        takesEmail: values.takesEmail,
        takesDate: values.takesDate,
      };
      read.push({ candidate, features });
    }
    return read;
  }

  #weighted(terms: readonly string[]): SlottedTerm[] {
    return terms.map((term) => ({
      slot: this.#slots.of(term),
      weight: rarity(term, this.#statistics),
      synonymSlots: [],
    }));
  }

  #words({ profile }: Candidate, occurrences: Uint32Array) {
    const isIn = (slot: number, parts: number) => (partsOf(occurrences[slot] as number) & parts) !== 0;
    const phrases = this.#phraseSlots;
    const inText = phrases.filter((slot) => isIn(slot, part.name | part.description));
    let synonymsInName = 0;
    for (const slot of this.#synonymSlots) if (isIn(slot, part.name)) synonymsInName += 1;
    return {
      coverage: coverageOf(occurrences, this.#terms),
      synonymsInName: Math.min(maxSynonymsInName, synonymsInName) / maxSynonymsInName,
      phraseCoverage: phrases.length === 0 ? 0 : inText.length / phrases.length,
      namePrecision: this.#namePrecision(profile),
    };
  }

  #namePrecision({ numbers, wordCount, verbClasses }: Candidate['profile']): number {
    const coreNameAt = 2 * wordCount;
    if (coreNameAt === numbers.length) return 0;
    let known = 0;
    const doesWhatIsAsked = this.#sharesVerb(verbClasses);
    for (let index = coreNameAt; index < numbers.length; index++) {
      const word = numbers[index] as number;
      const slot = this.#slots.ofHash(word);
      const isAsked = slot !== unknownSlot;
      if (isAsked && this.#querySlots.has(slot)) known += 1;
      else if ((isAsked && this.#synonymSlots.has(slot)) || (doesWhatIsAsked && isVerb(word))) known += inexactNameWord;
    }
    return known / (numbers.length - coreNameAt);
  }

  #serverBests(keywordScores: readonly number[], cosines: readonly CandidateCosines[]) {
    const bests = new Map<string, { keywords: number; cosine: number }>();
    for (const [index, { name }] of this.#candidates.entries()) {
      const best = bests.get(name.serverId) ?? { keywords: 0, cosine: -1 };
      best.keywords = Math.max(best.keywords, keywordScores[index] as number);
      best.cosine = Math.max(best.cosine, cosines[index]?.whole ?? -1);
      bests.set(name.serverId, best);
    }
    return bests;
  }

  /** Share of the words of the server's id that the query holds. */
  #serverNamed(serverId: string): number {
    let share = this.#namedShares.get(serverId);
    if (share === undefined) {
      const terms = termsOfServer(serverId);
      share = terms.length === 0 ? 0 : terms.filter((term) => this.#queryTerms.has(term)).length / terms.length;
      this.#namedShares.set(serverId, share);
    }
    return share;
  }

  #action({ profile: { verbClasses } }: Candidate) {
    const [asked] = this.#query.verbClasses;
    const [done] = verbClasses;
    const { polarityOf } = vocabulary();
    const isClear = asked !== undefined && done !== undefined;
    return {
      verbMatch: this.#sharesVerb(verbClasses) ? 1 : 0,
      firstVerbMatch: asked !== undefined && verbClasses.includes(asked) ? 1 : 0,
      polarityClash: isClear && polarityOf(asked) !== polarityOf(done) ? 1 : 0,
      deletesUnasked:
        done !== undefined && polarityOf(done) === 'delete' && !(isClear && polarityOf(asked) === 'delete') ? 1 : 0,
    };
  }

  #sharesVerb(verbClasses: readonly string[]): boolean {
    return verbClasses.some((verbClass) => this.#query.verbClasses.includes(verbClass));
  }

  #values(occurrences: Uint32Array) {
    const isParameter = (term: string) => partsOf(occurrences[this.#slots.of(term)] as number) & part.parameters;
    const takes = (kind: LiteralKind) =>
      this.#query.literals.includes(kind) && valueTerms[kind].some(isParameter) ? 1 : 0;
    return {
      takesUrl: takes('url'),
      takesPath: takes('path'),
      takesEmail: takes('email'),
      takesDate: takes('date'),
    };
  }
}
