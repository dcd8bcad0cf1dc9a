import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../src/config/secrets.ts';

const stdio = { kind: 'stdio', command: 'x', args: [] as string[], env: {} } as const;
const http = { kind: 'http', url: 'https://x.dev/mcp', headers: {} } as const;

describe('secretsOf', () => {
  it.each([
    ['values of env', { ...stdio, env: { KEY: 'k3y-value' } }, ['k3y-value']],
    [
      'a header and its credential',
      { ...http, headers: { Authorization: 'Bearer abc.def' } },
      ['Bearer abc.def', 'abc.def'],
    ],
    [
      'arguments of telling flags',
      { ...stdio, args: ['--api-key', 'k1', '--token=k2', '--port', '8080'] },
      ['k1', 'k2'],
    ],
    ['credentials in a URL', { ...http, url: 'https://u5er:p%40ss@x.dev/?api_key=k3&page=2' }, ['u5er', 'p@ss', 'k3']],
    ['no words that stand everywhere', { ...stdio, env: { A: 'true', B: 'info', C: '8080', D: '' } }, []],
  ])('are %s', (_, transport, expected) => {
    expect(secretsOf(transport, [])).toEqual(expected);
  });

  it('are expanded variables, each once', () => {
    expect(secretsOf({ ...stdio, env: { A: 'v4lue' } }, ['v4lue', 'other'])).toEqual(['v4lue', 'other']);
  });
});
