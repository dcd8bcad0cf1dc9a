import { describe, expect, it } from 'vitest';
import { callToApprove } from '../scripted-toolcrib.ts';
import { run } from '../test-io.ts';

describe('toolcrib policy test', () => {
  it('says what would happen, and why', async () => {
    const { exitCode, stdout } = await run(['policy', 'test', 'github__delete_repo', '--caller', 'bob']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'github__delete_repo: deny',
        '  why: rule 2 of the policy says so',
        '  effect: not known, so taken as destructive',
        '  caller: bob',
        '',
      ].join('\n'),
    );
  });

  it('takes arguments, and the default of HTTP, and prints JSON', async () => {
    const { stdout, calls } = await run(['policy', 'test', 'x', '--args', 'number=7', '--http', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'x', action: 'ask', rule: 2, effect: 'destructive' });
    expect(calls).toContain('testPolicy "x" {"args":{"number":7},"isOverHttp":true}');
  });
});

describe('toolcrib approvals', () => {
  it('lists the calls that wait', async () => {
    const { exitCode, stdout } = await run(['approvals', 'list']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('the-id');
    expect(stdout).toContain('github__delete_repo');
    expect(JSON.parse((await run(['approvals', 'list', '--json'])).stdout)).toEqual([callToApprove]);
  });

  it('shows the whole call, asks, and grants it once', async () => {
    const { exitCode, stdout, stderr, calls } = await run(['approvals', 'grant', 'the-id'], { typed: ['y'] });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('github__delete_repo is allowed');
    expect(stderr).toBe(
      [
        'github__delete_repo (tool delete_repo of server github)',
        'caller: session:1',
        'effect: not known, so it may be destructive',
        'arguments: {',
        '  "repo": "octo/hello",',
        '  "note": "line\\n\\u{202E}turned"',
        '}',
        '',
      ].join('\n'),
    );
    expect(calls).toContain('grantCall "the-id" {}');
  });

  it('grants for a time where that is said', async () => {
    const { calls } = await run(['approvals', 'grant', 'the-id', '--for', '30', '--json'], { typed: ['yes'] });
    expect(calls).toContain('grantCall "the-id" {"isRepeatable":true,"minutes":30}');
  });

  it.each([['n'], [''], ['yep'], []])('grants nothing when the answer is %j', async (...typed) => {
    const { exitCode, calls } = await run(['approvals', 'grant', 'the-id'], { typed });
    expect(exitCode).toBe(1);
    expect(calls.some((call) => call.startsWith('grantCall'))).toBe(false);
  });

  it('needs a terminal, and an id that is known', async () => {
    const piped = await run(['approvals', 'grant', 'the-id', '--json']);
    expect(piped.exitCode).toBe(2);
    expect(JSON.parse(piped.stderr)).toMatchObject({ error: { code: 'terminal_required' } });
    const unknown = await run(['approvals', 'grant', 'other', '--json'], { typed: ['y'] });
    expect(JSON.parse(unknown.stderr)).toMatchObject({ error: { code: 'approval_unknown' } });
    for (const { calls } of [piped, unknown]) {
      expect(calls.some((call) => call.startsWith('grantCall'))).toBe(false);
    }
  });
});
