import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../catalog/harness.ts';
import { run } from '../test-io.ts';

describe('toolcrib exercise', () => {
  let file: string;
  beforeEach(() => {
    file = join(temporaryFolder(), 'c.jsonl');
    writeFileSync(file, '{}');
  });

  it('needs a terminal, or --yes', async () => {
    const { exitCode, stderr } = await run(['exercise', file]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('(terminal_required)');
  });

  it('prints one line a call in a pipe, and fails with a case that does', async () => {
    const { exitCode, stdout } = await run(['exercise', file, '--yes']);
    expect(exitCode).toBe(1);
    const row = 'a__b\t2026-11-30T05:06:07.000Z\texercise\tok\t12 ms\tdefault\t{"a":1}';
    expect(stdout).toBe(
      `pass\tone\tvalid\t${row}\t\nFAIL\ttwo\tinvalid\t${row}\tExpected invalid_arguments, got ok.\n`,
    );
  });

  it('shows at a terminal what it would call, and calls after a yes alone', async () => {
    const yes = await run(['exercise', file], { isTTY: true, typed: ['y'] });
    expect(yes.stderr).toContain('  a__b: 2 calls\n');
    expect(yes.stdout).toBe(
      [
        'pass  one  valid  a__b',
        '    2026-11-30T05:06:07.000Z  exercise  ok  12 ms  default  {"a":1}',
        'FAIL  two  invalid  a__b',
        '    Expected invalid_arguments, got ok.',
        '    2026-11-30T05:06:07.000Z  exercise  ok  12 ms  default  {"a":1}',
        '',
        '1 of 2 cases passed',
        '',
      ].join('\n'),
    );
    const no = await run(['exercise', file], { isTTY: true, typed: [''] });
    expect(no).toMatchObject({ exitCode: 1, stdout: '' });
    expect(no.stderr).toContain('Nothing was called.');
  });

  it('prints JSON', async () => {
    const { stdout } = await run(['exercise', file, '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ cases: 2, passed: 1, outcomes: [{ rows: [{ outcome: 'ok' }] }, {}] });
  });
});
