import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/config/fingerprint.ts';
import type { ServerTransport } from '../../src/model/index.ts';

const stdio = { kind: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { A: '1', B: '2' }, cwd: '/w' } as const;
const http = { kind: 'http', url: 'https://x.dev/mcp', headers: { Authorization: 'Bearer a' } } as const;

function of(transport: object): string {
  return fingerprint(transport as ServerTransport);
}

describe('fingerprint', () => {
  it('is the same on every machine', () => {
    expect(of(stdio)).toBe('7114f3d5228b016e287cab6ae9e6f362ed630e0db6a7761d69f3bfdeb64a75ad');
    expect(of(http)).toBe('b7630255e9535b2ca6f2897aa00b15b3eb420b1b1fb4a85e705b2aea7a7b9bad');
  });

  it.each([
    ['value of an env variable', stdio, { ...stdio, env: { A: 'other', B: '2' } }],
    ['order of env variables', stdio, { ...stdio, env: { B: '2', A: '1' } }],
    ['header', http, { ...http, headers: { Authorization: 'Bearer b' } }],
  ])('does not depend on: %s', (_, one, other) => {
    expect(of(other)).toBe(of(one));
  });

  it.each([
    ['command', { ...stdio, command: 'node' }],
    ['argument', { ...stdio, args: ['-y', 'pkg2'] }],
    ['split of arguments', { ...stdio, args: ['-y pkg'] }],
    ['name of an env variable', { ...stdio, env: { A: '1', C: '2' } }],
    ['working directory', { ...stdio, cwd: '/v' }],
    ['transport', http],
  ])('depends on: %s', (_, other) => {
    expect(of(other)).not.toBe(of(stdio));
  });
});
