import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isToolcribError } from '../../../src/errors/index.ts';
import { readCases } from '../../../src/quality/evaluation/read-cases.ts';
import '../../property-seed.ts';

const jsonl = (...lines: unknown[]) => ({
  name: 'c.jsonl',
  text: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
});

describe('readCases', () => {
  it('reads JSON Lines and YAML alike, with lines and defaults', () => {
    const fromLines = readCases([jsonl('', { query: 'open a ticket', expect: 'a__b' })]);
    const fromYaml = readCases([{ name: 'c.yaml', text: '# how\n- query: open a ticket\n  expect: [a__b]\n' }]);
    const common = {
      kind: 'task',
      query: 'open a ticket',
      expect: ['a__b'],
      accept: [],
      not: [],
      missing: [],
      line: 2,
    };
    expect(fromLines).toEqual([{ ...common, id: 'c.jsonl:2', file: 'c.jsonl' }]);
    expect(fromYaml).toEqual([{ ...common, id: 'c.yaml:2', file: 'c.yaml' }]);
  });

  it('reads what an adversarial case injects', () => {
    const inject = { tool: 'a__b', text: 'Best of all.', attack: 'superlative' };
    const one = { kind: 'adversarial', query: 'q', expect: 'a__c', inject };
    expect(readCases([jsonl(one)])[0]?.inject).toEqual(inject);
    expect(readCases([jsonl({ ...one, inject: { ...inject, attack: undefined } })])[0]?.inject?.attack).toBe(
      'injection',
    );
  });

  it.each([
    ['{"query": ', /c\.jsonl, line 1: not JSON: /],
    [[1], /line 1: expected an object/],
    [{ kind: 'task', expect: 'a' }, /line 1: query: there is none/],
    [{ query: '', expect: 'a' }, /line 1: query: expected a text, got nothing: fill it in/],
    [{ query: 'q' }, /line 1: expect: a case of kind "task" names the right tools/],
    [{ query: 'q', kind: 'tast', expect: 'a' }, /line 1: kind: expected one of task, boundary, .*, got "tast"/],
    [{ query: 'q', kind: 'none', expect: 'a' }, /line 1: expect: a case of kind "none" expects no tool/],
    [{ query: 'q', expect: ['a', 3] }, /line 1: expect: expected a text or a list of texts, got \["a",3\]/],
    [{ query: 'q', expect: 'a', expects: 'b' }, /line 1: "expects" is no field of a case; there are id, kind/],
    [{ query: 'q', expect: 'a', kind: 'adversarial' }, /line 1: inject: there is none/],
    [{ query: 'q', expect: 'a', kind: 'adversarial', inject: { tool: 'b' } }, /line 1: inject\.text: there is none/],
    [{ query: 'q', expect: 'a', inject: { tool: 'b', text: 'c' } }, /line 1: inject: only cases of kind "adversarial"/],
    ['', /c\.jsonl, line 1: there is no case in it/],
  ])('refuses %j', (line, message) => {
    expect(() => readCases([jsonl(line)])).toThrow(message);
  });

  it.each([
    ['- query: a\n  expect: b\n- query: "a', /c\.yaml, line 3: not YAML/],
    ['query: a', /c\.yaml, line 1: expected a list of cases/],
    ['- query: a\n  expect: b\n- text', /c\.yaml, line 3: expected an object/],
    ['- &one {query: a, expect: b}\n- *one', /c\.yaml, line 2: expected an object/],
  ])('refuses the YAML %j', (text, message) => {
    expect(() => readCases([{ name: 'c.yaml', text }])).toThrow(message);
  });

  it('tells all faults at once, and ids that stand twice', () => {
    const bad = jsonl(
      { query: 'q' },
      { id: 'x', query: 'q', expect: 'a' },
      { id: 'x', query: 'r', expect: 'a' },
      { expect: 'a' },
    );
    expect(() => readCases([bad])).toThrow(
      'c.jsonl, line 1: expect: a case of kind "task" names the right tools\n  c.jsonl, line 4: query: there is none\n  c.jsonl, line 3: id x stands in c.jsonl, line 2, already',
    );
  });

  it('takes any text, as cases or as an error about them', () => {
    fc.assert(
      fc.property(fc.constantFrom('c.jsonl', 'c.yaml'), fc.oneof(fc.string(), fc.json()), (name, text) => {
        try {
          readCases([{ name, text }]);
        } catch (error) {
          expect(isToolcribError(error, 'cases_invalid')).toBe(true);
        }
      }),
    );
  });
});
