import type { LiteralKind } from '../query/clean-query.ts';
import type { ReadQuery } from '../query/read-query.ts';
import { vocabulary } from '../query/vocabulary.ts';
import type { Candidate, CandidateCosines } from './candidates.ts';
import type { Features } from './feature-names.ts';
import { completeCosines } from './impute.ts';
import { bm25f, coverageOf } from './keyword-features.ts';
import { rarity, type TermStatistics, type WeightedTerm, weightedTerms } from './term-weights.ts';
import { part, partsOf, termsOfServer } from './tool-profile.ts';

/** How much words count beside meaning in the fit of a clause. */
const clauseKeywordWeight = 0.4;
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

/** The features of each candidate, in order. Pure. */
export function candidateFeatures(
  query: ReadQuery,
  candidates: readonly Candidate[],
  statistics: TermStatistics,
): Features[] {
  return new FeatureReader(query, candidates, statistics).read();
}

class FeatureReader {
  readonly #query: ReadQuery;
  readonly #candidates: readonly Candidate[];
  readonly #statistics: TermStatistics;
  readonly #terms: WeightedTerm[];
  readonly #totalWeight: number;
  readonly #queryTerms: ReadonlySet<string>;
  readonly #synonyms: ReadonlySet<string>;
  readonly #phraseTerms: readonly string[];
  readonly #namedShares = new Map<string, number>();

  constructor(query: ReadQuery, candidates: readonly Candidate[], statistics: TermStatistics) {
    this.#query = query;
    this.#candidates = candidates;
    this.#statistics = statistics;
    this.#terms = weightedTerms(query, statistics);
    this.#totalWeight = this.#terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
    this.#queryTerms = new Set(this.#terms.map(({ term }) => term));
    this.#phraseTerms = query.phraseTerms.filter(
      (term) => !this.#queryTerms.has(term) && statistics.frequencyOf(term) > 0,
    );
    this.#synonyms = new Set([...this.#terms.flatMap(({ synonyms }) => synonyms), ...this.#phraseTerms]);
  }

  read(): Features[] {
    const candidates = this.#candidates;
    const keywordScores = candidates.map(({ profile }) => bm25f(profile, this.#terms));
    const cosines = completeCosines(candidates, keywordScores);
    const clauses = this.#clauseFits(cosines);
    const bestKeywords = Math.max(minScore, ...keywordScores);
    const servers = this.#serverBests(keywordScores, cosines);
    return candidates.map((candidate, index) => {
      const cosine = cosines[index] as CandidateCosines;
      const fit = clauses[index] as ClauseFit;
      const words = this.#words(candidate);
      const action = this.#action(candidate);
      const values = this.#values(candidate);
      const keywords = keywordScores[index] as number;
      const server = servers.get(candidate.name.serverId);
      // One literal: spreading several takes longer than all the arithmetic.
      return {
        cosine: cosine.whole,
        cosineBest: Math.max(cosine.whole, cosine.name),
        cosineAdapted: cosine.wholeAdapted,
        nameCosine: cosine.name,
        nameCosineAdapted: cosine.nameAdapted,
        nameCosineOfClause: cosine.nameOfClause,
        parametersCosine: cosine.parameters,
        parametersCosineAdapted: cosine.parametersAdapted,
        clauseCosine: fit.clauseCosine,
        clauseCosineAdapted: fit.clauseCosineAdapted,
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
    });
  }

  /** A tool for one step of a task need not fit the others: what counts is its best clause, relative to that clause's best. */
  #clauseFits(cosines: readonly CandidateCosines[]): ClauseFit[] {
    const clauses = this.#query.clauses.length > 0 ? this.#query.clauses.map(({ terms }) => terms) : [undefined];
    const perClause = clauses.map((terms, clause) => {
      const weighted = terms === undefined ? this.#terms : this.#weighted(terms);
      const total = weighted.reduce((sum, { weight }) => sum + weight, 0) || 1;
      const keywords = this.#candidates.map(({ profile }) => bm25f(profile, weighted) / total);
      const plain = cosines.map((cosine) => cosine.clauses[clause] ?? cosine.whole);
      const adapted = cosines.map((cosine) => cosine.clausesAdapted[clause] ?? cosine.wholeAdapted);
      return { keywords, plain: relative(plain), adapted: relative(adapted), best: Math.max(minScore, ...keywords) };
    });
    return this.#candidates.map((_, index) => {
      const fit: ClauseFit = {
        clauseCosine: -1,
        clauseCosineAdapted: -1,
        clauseFit: -2,
        clauseKeywords: 0,
        clauseKeywordsRelative: 0,
      };
      for (const { keywords, plain, adapted, best } of perClause) {
        const share = keywords[index] as number;
        fit.clauseCosine = Math.max(fit.clauseCosine, plain[index] as number);
        fit.clauseCosineAdapted = Math.max(fit.clauseCosineAdapted, adapted[index] as number);
        fit.clauseKeywords = Math.max(fit.clauseKeywords, share);
        fit.clauseKeywordsRelative = Math.max(fit.clauseKeywordsRelative, share / best);
        const both = (adapted[index] as number) + clauseKeywordWeight * (share / best - 1);
        fit.clauseFit = Math.max(fit.clauseFit, both);
      }
      return fit;
    });
  }

  #weighted(terms: readonly string[]) {
    return terms.map((term) => ({ term, weight: rarity(term, this.#statistics) }));
  }

  #words({ profile }: Candidate) {
    const coverage = coverageOf(profile, this.#terms);
    const phrases = this.#phraseTerms;
    const inText = phrases.filter((term) => partsOf(profile, term) & (part.name | part.description));
    const synonymsInName = [...this.#synonyms].filter((term) => partsOf(profile, term) & part.name).length;
    return {
      coverage,
      synonymsInName: Math.min(maxSynonymsInName, synonymsInName) / maxSynonymsInName,
      phraseCoverage: phrases.length === 0 ? 0 : inText.length / phrases.length,
      namePrecision: this.#namePrecision(profile),
    };
  }

  #namePrecision({ coreNameTerms, verbClasses }: Candidate['profile']): number {
    if (coreNameTerms.length === 0) return 0;
    let known = 0;
    const doesWhatIsAsked = this.#sharesVerb(verbClasses);
    for (const term of coreNameTerms) {
      const isVerb = vocabulary().verbClasses(term).length > 0;
      if (this.#queryTerms.has(term)) known += 1;
      else if (this.#synonyms.has(term) || (isVerb && doesWhatIsAsked)) known += inexactNameWord;
    }
    return known / coreNameTerms.length;
  }

  #serverBests(keywordScores: readonly number[], cosines: readonly CandidateCosines[]) {
    const bests = new Map<string, { keywords: number; cosine: number }>();
    for (const [index, { name }] of this.#candidates.entries()) {
      const best = bests.get(name.serverId) ?? { keywords: 0, cosine: -1 };
      best.keywords = Math.max(best.keywords, keywordScores[index] as number);
      best.cosine = Math.max(best.cosine, cosines[index]?.wholeAdapted ?? -1);
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

  #values({ profile }: Candidate) {
    const takes = (kind: LiteralKind) =>
      this.#query.literals.includes(kind) && valueTerms[kind].some((term) => partsOf(profile, term) & part.parameters)
        ? 1
        : 0;
    return {
      takesUrl: takes('url'),
      takesPath: takes('path'),
      takesEmail: takes('email'),
      takesDate: takes('date'),
    };
  }
}

/** So that nothing is divided by zero where no candidate holds a word of the query. */
const minScore = 1e-6;

interface ClauseFit {
  clauseCosine: number;
  clauseCosineAdapted: number;
  clauseFit: number;
  clauseKeywords: number;
  clauseKeywordsRelative: number;
}

/** How far each value lies below the highest. */
function relative(values: readonly number[]): number[] {
  const best = Math.max(...values);
  return values.map((value) => value - best);
}
