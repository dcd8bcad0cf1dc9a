import type { Answer } from './answers.ts';
import { bootstrap95, type Cutoff, cutoffs, mean, percentile, type QueryScore, round } from './score.ts';

export type AtCutoffs = Record<Cutoff, number>;
export type RecallByGroup = Record<string, { n: number; recall: AtCutoffs }>;

/** Ranking quality of one arm on one set. Shares are 0–1, rounded to four places. */
export interface AccuracyReport {
  arm: string;
  set: string;
  tools: number;
  /** Answerable queries: those with gold. */
  n: number;
  recall: AtCutoffs;
  hit: AtCutoffs;
  mrr10: number;
  ndcg10: number;
  /** Queries that no tool fits. `abstained`: no hit returned; `weak`: marked weak, those without a hit included. */
  none: { n: number; abstained: number; weak: number };
  /** Share of answerable queries marked weak. */
  weakAnswerable: number;
  /** Share of answerable queries without any hit. */
  wronglyRefused: number;
  byCategory: RecallByGroup;
  byLang: RecallByGroup;
  latencyMs: { p50: number; p95: number; p99: number };
  ci95: { recall5: [number, number] };
}

export function accuracyReport(about: { arm: string; set: string; tools: number }, answers: Answer[]): AccuracyReport {
  const answerable = answers.filter((answer) => answer.score !== undefined);
  const none = answers.filter((answer) => answer.score === undefined);
  const latencies = answers.map((answer) => answer.latencyMs);
  return {
    ...about,
    n: answerable.length,
    recall: meanAtCutoffs(answerable, (score) => score.recall),
    hit: meanAtCutoffs(answerable, (score) => score.hit),
    mrr10: round(mean(answerable.map((answer) => answer.score?.mrr10 ?? 0))),
    ndcg10: round(mean(answerable.map((answer) => answer.score?.ndcg10 ?? 0))),
    none: { n: none.length, abstained: shareOf(none, 'isEmpty'), weak: shareOf(none, 'isWeak') },
    weakAnswerable: shareOf(answerable, 'isWeak'),
    wronglyRefused: shareOf(answerable, 'isEmpty'),
    byCategory: groupRecall(answerable, (answer) => answer.query.category),
    byLang: groupRecall(answerable, (answer) => answer.query.lang),
    latencyMs: {
      p50: round(percentile(latencies, 0.5)),
      p95: round(percentile(latencies, 0.95)),
      p99: round(percentile(latencies, 0.99)),
    },
    ci95: {
      recall5: bootstrap95(answerable.map((answer) => answer.score?.recall[5] ?? 0)).map(round) as [number, number],
    },
  };
}

function meanAtCutoffs(answers: Answer[], pick: (score: QueryScore) => AtCutoffs): AtCutoffs {
  const means = cutoffs.map((k) => [
    k,
    round(mean(answers.map((answer) => (answer.score ? pick(answer.score)[k] : 0)))),
  ]);
  return Object.fromEntries(means) as AtCutoffs;
}

function groupRecall(answers: Answer[], keyOf: (answer: Answer) => string): RecallByGroup {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) {
    const key = keyOf(answer);
    groups.set(key, [...(groups.get(key) ?? []), answer]);
  }
  return Object.fromEntries(
    [...groups].map(([key, members]) => [
      key,
      { n: members.length, recall: meanAtCutoffs(members, (score) => score.recall) },
    ]),
  );
}

function shareOf(answers: Answer[], flag: 'isWeak' | 'isEmpty'): number {
  return round(mean(answers.map((answer) => (answer[flag] ? 1 : 0))));
}
