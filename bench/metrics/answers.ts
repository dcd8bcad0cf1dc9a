import type { Arm, ArmAnswer } from '../arms/index.ts';
import type { LabelledQuery } from '../data/load-queries.ts';
import { type QueryScore, scoreQuery } from './score.ts';

/** One labelled query as an arm answered it. */
export interface Answer {
  query: LabelledQuery;
  latencyMs: number;
  isWeak: boolean;
  isEmpty: boolean;
  /** Score of the best hit on the arm's own scale; absent without a hit. */
  topScore?: number;
  /** Absent for queries that no tool fits. */
  score?: QueryScore;
}

/** What all measures look at. */
const limit = 10;

/** Asks every query once, in order, after one to warm up. */
export async function askAll(arm: Arm, queries: readonly LabelledQuery[]): Promise<Answer[]> {
  await arm.search('warm up', limit);
  const answers: Answer[] = [];
  for (const query of queries) {
    const start = performance.now();
    const answer = await arm.search(query.query, limit);
    answers.push(toAnswer(query, answer, performance.now() - start));
  }
  return answers;
}

function toAnswer(query: LabelledQuery, { ranked, topScore, confidence }: ArmAnswer, latencyMs: number): Answer {
  return {
    query,
    latencyMs,
    isWeak: confidence === 'weak',
    isEmpty: ranked.length === 0,
    ...(topScore === undefined ? {} : { topScore }),
    ...(query.groups.length === 0 ? {} : { score: scoreQuery(ranked, query.groups) }),
  };
}
