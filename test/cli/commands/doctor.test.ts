import { describe, expect, it } from 'vitest';
import type { Check } from '../../../src/setup/index.ts';
import { run } from '../test-io.ts';

const checks: Check[] = [
  { area: 'program', subject: 'toolcrib 1', status: 'ok', message: 'Node 20' },
  {
    area: 'servers',
    subject: 'slow',
    status: 'warning',
    message: 'it lists\nno tools',
    fix: 'Log in.',
    durationMs: 1_200,
  },
  {
    area: 'servers',
    subject: 'gone',
    status: 'error',
    message: 'ENOENT \u001b[31m',
    fix: 'Install it.',
    durationMs: 4,
  },
];

function doctor(found: Check[], argv: string[] = [], isTTY = false) {
  const diagnose = async (_: unknown, onCheck: (check: Check) => void) => found.forEach(onCheck);
  return run(['doctor', ...argv], { isTTY, app: { diagnose } });
}

describe('toolcrib doctor', () => {
  it('shows each check with its fix on a terminal', async () => {
    expect((await doctor(checks, [], true)).stdout).toBe(
      [
        '✓ program toolcrib 1: Node 20',
        '! servers slow: it lists no tools, 1.2 s',
        '    Log in.',
        '✗ servers gone: ENOENT, 4 ms',
        '    Install it.',
        '',
      ].join('\n'),
    );
  });

  it('prints one line a check in a pipe, and JSON', async () => {
    expect((await doctor(checks)).stdout.split('\n')[1]).toBe(
      'warning\tservers\tslow\tit lists no tools\t1200\tLog in.',
    );
    expect(JSON.parse((await doctor(checks, ['--json'])).stdout)).toEqual({ errors: 1, warnings: 1, checks });
  });

  it('fails on an error, not on a warning', async () => {
    expect((await doctor(checks)).exitCode).toBe(1);
    expect((await doctor(checks.slice(0, 2))).exitCode).toBe(0);
  });
});
