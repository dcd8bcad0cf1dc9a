import { describe, expect, it } from 'vitest';
import { resolveOptions } from '../../src/config/index.ts';

const context = { env: {}, workspaceFolder: '/space' };
const read = (policy: unknown) => resolveOptions({ policy } as object, context).policy;

describe('policy', () => {
  it('is empty by default, and keeps the order of its rules', () => {
    expect(resolveOptions({}, context).policy).toEqual([]);
    expect(read([{ action: 'deny', tool: 'delete_*' }, { action: 'allow' }])).toEqual([
      { action: 'deny', tools: ['delete_*'] },
      { action: 'allow' },
    ]);
  });

  it('takes one text for a list of one', () => {
    const rule = { server: 'a', tool: ['b', 'c'], caller: 'd', effect: 'read', annotations: { readOnlyHint: true } };
    expect(read([{ action: 'ask', ...rule }])).toEqual([
      {
        action: 'ask',
        servers: ['a'],
        tools: ['b', 'c'],
        annotations: { readOnlyHint: true },
        effects: ['read'],
        callers: ['d'],
      },
    ]);
  });

  it.each([
    [{}, 'policy: expected a list of rules, got an object'],
    [['deny'], 'policy[0]: expected an object with "action"'],
    [[{ tool: 'x' }], 'policy[0].action: expected one of "allow", "ask", "deny", got nothing'],
    [[{ action: 'permit' }], 'policy[0].action: expected one of "allow", "ask", "deny", got "permit"'],
    [[{ action: 'allow', tools: 'x' }], 'policy[0]: expected an object with "action" and none but "server", "tool"'],
    [[{ action: 'allow', tool: [] }], 'policy[0].tool: expected a glob, or a list of globs'],
    [[{ action: 'allow', tool: '' }], 'policy[0].tool[0]: expected a text that is not empty'],
    [[{ action: 'allow', effect: 'none' }], 'policy[0].effect[0]: expected one of "read", "write", "destructive"'],
    [
      [{ action: 'allow', annotations: { readOnlyHint: 'yes' } }],
      'policy[0].annotations.readOnlyHint: expected true or',
    ],
  ])('%j is an error: no rule is read for more than it says', (policy, message) => {
    expect(() => read(policy)).toThrow(message);
  });
});
