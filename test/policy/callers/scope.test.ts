import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCallerScope } from '../../../src/policy/index.ts';

const read = { readOnlyHint: true };
const write = { destructiveHint: false };
const destroys = { destructiveHint: true };

function allows(scopes: string[], name: string, annotations: Record<string, boolean> | undefined = undefined): boolean {
  const [serverId = '', toolName = ''] = name.split('/');
  return createCallerScope(scopes, (id) => id !== 'untrusted').allows({ serverId, toolName }, () => annotations);
}

describe('a scope', () => {
  it.each([
    ['github', 'github/create_issue', true],
    ['github', 'github2/create_issue', false],
    ['git*', 'gitlab/a', true],
    ['github:create_*', 'github/create_issue', true],
    ['github:create_*', 'github/delete_repo', false],
    ['github:a', 'linear/a', false],
    ['*:read_file', 'fs/read_file', true],
    ['*', 'any/.hidden', true],
    ['github:get:*', 'github/get:me', true],
    ['github:a@b', 'github/a@b', true],
  ])('%s: %s is %s', (scope, name, isAllowed) => {
    expect(allows([scope], name)).toBe(isAllowed);
  });

  it.each([
    ['fs@read', read, true],
    ['fs@read', write, false],
    ['fs@write', read, true],
    ['fs@write', write, true],
    ['fs@write', destroys, false],
    ['fs@write', undefined, false],
    ['fs@destructive', undefined, true],
    ['fs:read_*@read', read, true],
  ])('%s with %j is %s', (scope, annotations, isAllowed) => {
    expect(allows([scope], 'fs/read_file', annotations)).toBe(isAllowed);
  });

  it('does not believe the annotations of a server that is not trusted', () => {
    expect(allows(['*@read'], 'untrusted/a', read)).toBe(false);
  });

  it('asks for no annotations where no effect is limited', () => {
    const scope = createCallerScope(['github', 'fs:a'], () => true);
    const never = () => expect.unreachable();
    expect(scope.allows({ serverId: 'github', toolName: 'x' }, never)).toBe(true);
    expect(scope.allows({ serverId: 'fs', toolName: 'x' }, never)).toBe(false);
  });

  it('is one with others: any that fits is enough, none is for nothing', () => {
    expect(allows(['linear', 'fs:b', 'fs:a'], 'fs/a')).toBe(true);
    expect(allows([], 'fs/a')).toBe(false);
    const [one, other] = [
      ['a', 'b'],
      ['b', 'a', 'b'],
    ].map((scopes) => createCallerScope(scopes, () => false));
    expect(one?.key).toBe(other?.key);
  });

  it('knows the servers that it is for', () => {
    const scope = createCallerScope(['github:x', 'd*'], () => false);
    expect(['github', 'docs', 'linear'].map((id) => scope.knowsServer(id))).toEqual([true, true, false]);
  });

  it.each(['', ':a', 'a b', 'a:', '@read', 'x'.repeat(301)])('is not %j', (scope) => {
    expect(() => createCallerScope([scope], () => false)).toThrow(/is no scope: expected server/);
  });

  it('of one tool by its name lets no other through', () => {
    const name = fc.stringMatching(/^[a-z_./-]{1,12}$/);
    fc.assert(
      fc.property(name, name, name, name, (server, tool, otherServer, otherTool) => {
        const isSame = server === otherServer && tool === otherTool;
        const scope = createCallerScope([`${server}:${tool}`], () => false);
        expect(scope.allows({ serverId: otherServer, toolName: otherTool }, () => undefined)).toBe(isSame);
      }),
    );
  });
});
