import { describe, expect, it } from 'vitest';
import { oneLine, secretHider, withoutStack } from '../../src/upstream/text.ts';
import { spec } from './harness.ts';

describe('secretHider', () => {
  it.each([
    { given: 'token s3cr3t-value!', shown: 'token ***!' },
    { given: 'Bearer abcdefgh', shown: '***' },
    { given: 'only abcdefgh', shown: 'only ***' },
    { given: 'true is short', shown: 'true is short' },
    { given: 'from-the-config', shown: '***' },
  ])('$given', ({ given, shown }) => {
    const headers = { Authorization: 'Bearer abcdefgh', X: 's3cr3t-value', Y: 'true' };
    const hide = secretHider(spec('a', { kind: 'http', url: 'http://x', headers }), ['from-the-config']);
    expect(hide(given)).toBe(shown);
  });

  it('hides a secret that holds another as a whole', () => {
    const env = { A: 'abcdef', B: 'abcdef-long' };
    expect(secretHider(spec('a', { kind: 'stdio', command: 'x', args: [], env }))('abcdef-long')).toBe('***');
  });
});

describe('oneLine', () => {
  it.each([
    { given: ' a\n b\t c ', max: 10, line: 'a b c' },
    { given: 'abcdef', max: 4, line: 'abc…' },
  ])('$given', ({ given, max, line }) => {
    expect(oneLine(given, max)).toBe(line);
  });
});

describe('withoutStack', () => {
  it.each([
    { given: 'bad\n    at f (x.js:1:1)\n    at g', kept: 'bad' },
    { given: 'look at this', kept: 'look at this' },
  ])('$given', ({ given, kept }) => {
    expect(withoutStack(given)).toBe(kept);
  });
});
