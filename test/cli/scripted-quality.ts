import type { CatalogQuality } from '../../src/model/index.ts';

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
};
