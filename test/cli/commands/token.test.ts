import { describe, expect, it } from 'vitest';
import { run } from '../test-io.ts';

describe('toolcrib token', () => {
  it('prints a new secret, and nothing else, on stdout', async () => {
    const { exitCode, stdout, stderr, calls } = await run([
      'token',
      'create',
      'ci',
      '--scope',
      'github:list_*',
      'docs',
      '--expires',
      '90',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe('tcr_0011223344556677_secret\n');
    expect(stderr).toContain('Token 0011223344556677 of ci for github:list_* docs');
    expect(calls[0]).toBe('createToken "ci" {"scopes":["github:list_*","docs"],"expiresInDays":90}');
  });

  it('needs a scope to make one', async () => {
    const { exitCode, stderr, calls } = await run(['token', 'create', 'ci']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--scope');
    expect(calls).toEqual([]);
  });

  it('lists them without a secret', async () => {
    const { stdout } = await run(['token', 'list']);
    expect(stdout).toBe('0011223344556677\tci\tactive\t2026-11-30T05:06:07.000Z\tnever\tgithub:list_* docs@read\n');
    expect(JSON.parse((await run(['token', 'list', '--json'])).stdout)).toMatchObject([
      { name: 'ci', state: 'active' },
    ]);
  });

  it('revokes one', async () => {
    const { exitCode, stderr, calls } = await run(['token', 'revoke', 'ci']);
    expect([exitCode, calls[0]]).toEqual([0, 'revokeToken "ci"']);
    expect(stderr).toBe('Revoked token 0011223344556677 of ci.\n');
  });
});
