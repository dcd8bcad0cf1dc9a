import { basename, dirname } from 'node:path';
import { createToolcrib, type SearchArm, type SearchResult } from '../../src/index.ts';
import { type LabelledQuery, loadQueries } from '../data/load-queries.ts';
import { loadTools, type ToolSet } from '../data/load-tools.ts';
import { bootstrap95, type Cutoff, cutoffs, mean, percentile, type QueryScore, scoreQuery } from '../metrics/score.ts';

export interface AccuracyOptions {
  tools: string;
  queries: string;
  arm: SearchArm;
  /** Keeps the ingested catalog for the next run. Default: in memory. */
  catalog?: string;
}

type AtCutoffs = Record<Cutoff, number>;

export interface AccuracyReport {
  arm: string;
  set: string;
  tools: number;
  n: number;
  recall: AtCutoffs;
  hit: AtCutoffs;
  mrr10: number;
  ndcg10: number;
  none: { n: number; abstained: number; weak: number };
  weakAnswerable: number;
  wronglyRefused: number;
  byCategory: Record<string, { n: number; recall: AtCutoffs }>;
  byLang: Record<string, { n: number; recall: AtCutoffs }>;
  latencyMs: { p50: number; p95: number; p99: number };
  ci95: { recall5: [number, number] };
}

/** Ingests the tools, waits for their vectors, asks every query with a limit of 10 and scores the answers. */
export async function measureAccuracy(options: AccuracyOptions): Promise<AccuracyReport> {
  const toolSet = loadTools(options.tools);
  const queries = loadQueries(options.queries);
  const crib = createToolcrib({ ...(options.catalog === undefined ? {} : { catalog: options.catalog }) });
  try {
    for (const { server, tools } of toolSet.servers) crib.ingest(server, tools);
    await crib.settled();
    await crib.search('warm up', { arm: options.arm });
    const answers: Answer[] = [];
    for (const query of queries) {
      const start = performance.now();
      const result = await crib.search(query.query, { limit: 10, arm: options.arm });
      answers.push(toAnswer(query, result, performance.now() - start, toolSet));
    }
    return report(options, toolSet, answers);
  } finally {
    await crib.close();
  }
}

interface Answer {
  query: LabelledQuery;
  latencyMs: number;
  isWeak: boolean;
  isEmpty: boolean;
  /** Absent for queries that no tool fits. */
  score?: QueryScore;
}

function toAnswer(query: LabelledQuery, result: SearchResult, latencyMs: number, toolSet: ToolSet): Answer {
  const ranked = result.hits.map((hit) => toolSet.labelOf(hit.server, hit.tool));
  const answer: Answer = {
    query,
    latencyMs,
    isWeak: result.confidence === 'weak',
    isEmpty: result.hits.length === 0,
  };
  if (query.groups.length > 0) answer.score = scoreQuery(ranked, query.groups);
  return answer;
}

function report(options: AccuracyOptions, toolSet: ToolSet, answers: Answer[]): AccuracyReport {
  const answerable = answers.filter((answer) => answer.score !== undefined);
  const none = answers.filter((answer) => answer.score === undefined);
  const latencies = answers.map((answer) => answer.latencyMs);
  return {
    arm: options.arm,
    set: basename(dirname(options.queries)),
    tools: toolSet.toolCount,
    n: answerable.length,
    recall: meanAtCutoffs(answerable, (score) => score.recall),
    hit: meanAtCutoffs(answerable, (score) => score.hit),
    mrr10: round(mean(answerable.map((answer) => answer.score?.mrr10 ?? 0))),
    ndcg10: round(mean(answerable.map((answer) => answer.score?.ndcg10 ?? 0))),
    none: { n: none.length, abstained: shareOf(none, 'isEmpty'), weak: shareOf(none, 'isWeak') },
    weakAnswerable: shareOf(answerable, 'isWeak'),
    wronglyRefused: shareOf(answerable, 'isEmpty'),
    byCategory: groupRecall(answerable, (query) => query.category),
    byLang: groupRecall(answerable, (query) => query.lang),
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

function groupRecall(answers: Answer[], keyOf: (query: LabelledQuery) => string): AccuracyReport['byCategory'] {
  const groups = new Map<string, Answer[]>();
  for (const answer of answers) {
    const key = keyOf(answer.query);
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

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
