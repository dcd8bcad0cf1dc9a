import { ToolcribError } from '../../src/errors/index.ts';
import type { AuditEntry, CatalogQuality, EvaluationFigures, ModelFigures } from '../../src/model/index.ts';

/** One finding of each level. */
export const scriptedQuality: CatalogQuality = {
  lint: async () => ({
    tools: 2,
    levels: { error: 1, warning: 1, info: 0 },
    rules: [
      { rule: 'vague_name', title: 'name says not what', findings: 1, tools: 1 },
      { rule: 'missing_description', title: 'no description', findings: 1, tools: 1 },
    ],
    findings: [
      {
        rule: 'vague_name',
        level: 'warning',
        name: 'x__process',
        server: 'x',
        tool: 'process',
        field: 'name',
        message: '"process"\u001b[31m says little.',
        why: 'Nobody knows.',
        fix: 'Rename it.',
      },
      {
        rule: 'missing_description',
        level: 'error',
        name: 'x__other',
        server: 'x',
        tool: 'other',
        field: 'description',
        message: 'There is none.',
        why: 'No words.',
        fix: 'Describe it.',
      },
    ],
  }),
  collisions: async () => ({
    tools: 3,
    compared: 2,
    pairs: 3,
    vectorShare: 0.9,
    found: 2,
    collisions: [
      {
        score: 0.87654,
        parts: { verb: 1, noun: 1, description: 0.5, arguments: 0 },
        tools: [
          { name: 'a__list', server: 'a', tool: 'list', summary: 'Lists \u001b[31mall.', apart: [] },
          { name: 'b__list', server: 'b', tool: 'list', summary: 'Lists some.', apart: ['some', 'few'] },
        ],
      },
    ],
  }),
  draftTasks: async ({ format } = {}) => ({ cases: `cases as ${format}\n`, prompt: 'Write cases.\n' }),
  evaluate: async ({ cases, heldOut = [], baseline, useModel }) => ({
    ...figures,
    tools: 40,
    vectorShare: 0.5,
    confusions: [{ expected: 'a__b', got: 'a__c', cases: ['one', 'two'] }],
    outcomes: [
      {
        id: 'one',
        kind: 'task',
        query: `of ${cases.map(({ name }) => name).join(', ')}`,
        file: 'c.jsonl',
        line: 1,
        expected: ['a__b'],
        found: ['a__c'],
        confidence: 'weak',
      },
    ],
    ...(heldOut.length === 0 ? {} : { heldOut: figures }),
    ...(useModel ? { model: { ...modelFigures, choices: [] } } : {}),
    ...(baseline === undefined
      ? {}
      : {
          baseline: {
            recall: { 1: -0.25, 3: 0, 5: 0.125, 10: 0 },
            better: [],
            worse: [{ id: 'one', before: 1, after: 0 }],
            added: ['two'],
            removed: [],
          },
        }),
  }),
  exercise: async ({ confirm }) => {
    if ((await confirm({ calls: 2, tools: [{ name: 'a__b', calls: 2 }] })) !== true) {
      throw new ToolcribError('cancelled', 'Nothing was called.');
    }
    const of = { tool: 'a__b', file: 'c.jsonl' };
    const row: AuditEntry = {
      id: 1,
      time: '2026-11-30T05:06:07.000Z',
      kind: 'call',
      caller: 'exercise',
      outcome: 'ok',
      durationMs: 12.3,
      rule: 'default',
      arguments: '{"a":1}',
    };
    return {
      cases: 2,
      passed: 1,
      outcomes: [
        { ...of, id: 'one', kind: 'valid', line: 1, passed: true, rows: [row] },
        {
          ...of,
          id: 'two',
          kind: 'invalid',
          line: 2,
          passed: false,
          problem: 'Expected invalid_arguments, got ok.',
          rows: [row],
        },
      ],
    };
  },
  exportView: async ({ mode = 'discovery', describe } = {}) => ({
    mode,
    instructions: 'Search first.',
    tools: [{ name: 'a__b', description: 'Does \u001b[31mb.', inputSchema: { type: 'object' } }],
    tokens: 30,
    tokenizer: 'o200k_base',
    ...(describe ? { descriptions: { a__b: 'All about b.' } } : {}),
  }),
  toBaseline: async () => ({ baselineVersion: 1, figures, ranks: { one: 0 } }),
};

const recall = { 1: 0.5, 3: 0.75, 5: 0.75, 10: 1 };

const figures: EvaluationFigures = {
  cases: 4,
  recall,
  kinds: { task: { cases: 2, recall }, none: { cases: 2, weak: 0.5, empty: 0 } },
  attacks: [{ attack: 'stuffing', cases: 1, meanRise: 3, overtook: 0, flagged: 1 }],
};

const modelFigures: ModelFigures = {
  model: 'scripted',
  cases: 4,
  right: 0.75,
  kinds: { task: { cases: 4, right: 0.75 } },
  failed: 0,
  tokens: { input: 1_000, output: 100 },
  roundTrips: 9,
};
