/**
 * What the ranking looks at, by the part of the explanation it belongs to. Every feature is a number of the order of one,
 * higher where the tool fits better, unless its name says otherwise. Their order is that of the weights' file.
 */
export const featureParts = {
  /** Cosine of the query with the tool, and the better of it and the name's. */
  cosine: 'meaning',
  cosineBest: 'meaning',
  /** The same with the tool's name: of the query, and of its nearest clause. */
  nameCosine: 'nameMeaning',
  nameCosineOfClause: 'nameMeaning',
  /** How near the tool comes to the best tool for one of the clauses: in meaning, and in meaning and words. */
  clauseCosine: 'clauses',
  clauseFit: 'clauses',
  clauseKeywords: 'clauses',
  clauseKeywordsRelative: 'clauses',
  /** BM25 relative to the best candidate, and to the most that the query could reach. */
  keywords: 'keywords',
  keywordsAbsolute: 'keywords',
  /** Share of the query's terms, by rarity, that the tool holds: anywhere, and by column. */
  coverage: 'coverage',
  nameCoverage: 'coverage',
  descriptionCoverage: 'coverage',
  parametersCoverage: 'coverage',
  /** The same where words that tools use for those of the query count as well. */
  synonymCoverage: 'synonyms',
  synonymNameCoverage: 'synonyms',
  synonymsInName: 'synonyms',
  phraseCoverage: 'synonyms',
  /** Share of the name's words that the query or its synonyms account for. */
  namePrecision: 'nameFit',
  /** Best keyword score and best cosine among the server's candidates; the server's id in the query. */
  serverKeywords: 'server',
  serverCosine: 'server',
  serverNamed: 'server',
  /** The tool does what the query asks for; it does the opposite kind of thing; it deletes unasked. */
  verbMatch: 'action',
  firstVerbMatch: 'action',
  polarityClash: 'action',
  deletesUnasked: 'action',
  /** The query holds a value of a kind that the tool takes. */
  takesUrl: 'values',
  takesPath: 'values',
  takesEmail: 'values',
  takesDate: 'values',
} as const;

export type FeatureName = keyof typeof featureParts;

export const featureNames = Object.keys(featureParts) as FeatureName[];

export type Features = Record<FeatureName, number>;
