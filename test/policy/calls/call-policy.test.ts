import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, PolicyAction, PolicyRule } from '../../../src/model/index.ts';
import { createCallPolicy } from '../../../src/policy/index.ts';

const decide = (
  rules: readonly PolicyRule[],
  {
    server = 'git',
    tool = 'push',
    annotations,
    caller = 'local',
    trusted = false,
    unmatched = 'allow',
  }: {
    server?: string;
    tool?: string;
    annotations?: JsonObject;
    caller?: string;
    trusted?: boolean;
    unmatched?: 'allow' | 'askUnlessRead';
  } = {},
) =>
  createCallPolicy({ rules, isTrusted: () => trusted, unmatched }).decide({
    tool: { serverId: server, toolName: tool, ...(annotations === undefined ? {} : { annotations }) },
    caller,
  });

describe('rules', () => {
  it('are tried in order, and the first that fits decides', () => {
    const rules: PolicyRule[] = [
      { action: 'allow', tools: ['push'] },
      { action: 'deny', servers: ['git'] },
    ];
    expect(decide(rules)).toMatchObject({ action: 'allow', rule: 1, reason: expect.stringContaining('rule 1') });
    expect(decide(rules, { tool: 'reset' })).toMatchObject({ action: 'deny', rule: 2 });
    expect(decide(rules, { server: 'mail', tool: 'read' })).not.toHaveProperty('rule');
  });

  it.each<[Omit<PolicyRule, 'action'>, boolean]>([
    [{ servers: ['git'] }, true],
    [{ servers: ['gi'] }, false],
    [{ servers: ['g*', 'mail'] }, true],
    [{ tools: ['pu*'] }, true],
    [{ tools: ['PUSH'] }, false],
    [{ tools: ['push', 'pull'] }, true],
    [{ callers: ['loc*'] }, true],
    [{ callers: ['client:*'] }, false],
    [{ servers: ['git'], tools: ['pull'] }, false],
    [{ effects: ['destructive'] }, true],
    [{ effects: ['read', 'write'] }, false],
    [{}, true],
  ])('%j', (conditions, fits) => {
    expect(decide([{ action: 'deny', ...conditions }]).action).toBe(fits ? 'deny' : 'allow');
  });

  it('match names with slashes and dots as plain text', () => {
    const rules: PolicyRule[] = [{ action: 'deny', tools: ['files*'] }];
    expect(decide(rules, { tool: 'files/delete.all' }).action).toBe('deny');
    for (const tool of ['.hidden', '.', '..']) {
      expect(decide([{ action: 'deny', tools: ['*'] }], { tool }).action, tool).toBe('deny');
      expect(decide([{ action: 'deny', tools: [tool] }], { tool }).action, tool).toBe('deny');
    }
  });
});

describe('annotations', () => {
  const readOnly = { readOnlyHint: true };
  const rules: PolicyRule[] = [{ action: 'allow', annotations: readOnly }, { action: 'deny' }];

  it('count where the server is trusted, and nowhere else', () => {
    expect(decide(rules, { annotations: readOnly, trusted: true }).action).toBe('allow');
    expect(decide(rules, { annotations: readOnly }).action).toBe('deny');
  });

  it('are not taken from the prototype of an object', () => {
    const inherited: JsonObject = Object.create({ readOnlyHint: true });
    expect(decide(rules, { annotations: inherited, trusted: true }).action).toBe('deny');
  });

  it.each([
    [undefined, 'destructive', false],
    [{}, 'destructive', false],
    [{ readOnlyHint: true }, 'read', true],
    [{ readOnlyHint: 'true' }, 'destructive', false],
    [{ readOnlyHint: false, destructiveHint: false }, 'write', true],
    [{ destructiveHint: true }, 'destructive', true],
    [{ readOnlyHint: true, destructiveHint: true }, 'read', true],
  ] as const)('%j of a trusted server mean %s', (annotations, effect, isEffectKnown) => {
    const options = annotations === undefined ? {} : { annotations };
    expect(decide([], { ...options, trusted: true })).toMatchObject({ effect, isEffectKnown });
    expect(decide([], options)).toMatchObject({ effect: 'destructive', isEffectKnown: false });
  });
});

describe('where no rule fits', () => {
  it('everything runs by default', () => {
    expect(decide([])).toMatchObject({ action: 'allow', reason: expect.stringContaining('no rule') });
  });

  it('over HTTP a person is asked, unless a trusted server says that the tool only reads', () => {
    const annotations = { readOnlyHint: true };
    expect(decide([], { unmatched: 'askUnlessRead' }).action).toBe('ask');
    expect(decide([], { unmatched: 'askUnlessRead', annotations }).action).toBe('ask');
    expect(decide([], { unmatched: 'askUnlessRead', annotations, trusted: true }).action).toBe('allow');
    const writes = { destructiveHint: false };
    expect(decide([], { unmatched: 'askUnlessRead', annotations: writes, trusted: true }).action).toBe('ask');
  });
});

const names = fc.constantFrom('a', 'b', 'ab', 'a/b', 'push', '.x');
const globs = fc.constantFrom('*', 'a', 'a*', '*b', 'push', 'none');
const listOf = (globsOrNames: fc.Arbitrary<string>) => fc.array(globsOrNames, { minLength: 1, maxLength: 3 });
const action = fc.constantFrom<PolicyAction>('allow', 'ask', 'deny');
const conditions = fc.record(
  {
    servers: listOf(globs),
    tools: listOf(globs),
    callers: listOf(globs),
    effects: fc.uniqueArray(fc.constantFrom('read' as const, 'write' as const, 'destructive' as const), {
      minLength: 1,
    }),
    annotations: fc.dictionary(fc.constantFrom('readOnlyHint', 'destructiveHint'), fc.boolean()),
  },
  { requiredKeys: [] },
);
const rule = fc.tuple(action, conditions).map(([given, rest]): PolicyRule => ({ action: given, ...rest }));
const subject = fc.record({
  server: names,
  tool: names,
  caller: names,
  trusted: fc.boolean(),
  annotations: fc.dictionary(fc.constantFrom('readOnlyHint', 'destructiveHint'), fc.boolean()),
});

describe('for any rules and calls', () => {
  it('the decision is that of the first rule which fits by itself', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), subject, (rules, call) => {
        const alone = rules.findIndex((one) => decide([one], call).rule === 1);
        const expected = alone === -1 ? {} : { rule: alone + 1, action: rules[alone]?.action };
        const { rule: place, action: taken } = decide(rules, call);
        expect(place === undefined ? {} : { rule: place, action: taken }).toEqual(expected);
      }),
    );
  });

  it('what comes behind the rule that decided changes nothing', () => {
    fc.assert(
      fc.property(fc.array(rule), fc.array(rule), subject, (rules, more, call) => {
        const before = decide(rules, call);
        fc.pre(before.rule !== undefined);
        expect(decide([...rules, ...more], call)).toEqual(before);
      }),
    );
  });

  it('a denial in front of everything denies, whatever the server says of itself', () => {
    fc.assert(
      fc.property(fc.array(rule), subject, (rules, call) => {
        expect(decide([{ action: 'deny', servers: [call.server.replaceAll('*', '?')] }, ...rules], call).action).toBe(
          'deny',
        );
      }),
    );
  });

  it('neither the order of the keys nor that of the globs matters', () => {
    const reversed = (one: PolicyRule): PolicyRule =>
      Object.fromEntries(
        Object.entries(one)
          .reverse()
          .map(([key, value]) => [key, Array.isArray(value) ? [...value].reverse() : value]),
      ) as unknown as PolicyRule;
    fc.assert(
      fc.property(fc.array(rule), subject, (rules, call) => {
        expect(decide(rules.map(reversed), call)).toEqual(decide(rules, call));
      }),
    );
  });

  it('one more condition never makes a rule fit more calls', () => {
    fc.assert(
      fc.property(conditions, conditions, subject, (some, more, call) => {
        const strict: PolicyRule = { action: 'deny', ...more, ...some };
        if (decide([strict], call).action === 'deny') {
          expect(decide([{ action: 'deny', ...some }], call).action).toBe('deny');
        }
      }),
    );
  });

  it('the annotations of a server that is not trusted change nothing', () => {
    fc.assert(
      fc.property(fc.array(rule), subject, (rules, { annotations, ...call }) => {
        const untrusted = { ...call, trusted: false };
        expect(decide(rules, { ...untrusted, annotations })).toEqual(decide(rules, untrusted));
      }),
    );
  });
});
