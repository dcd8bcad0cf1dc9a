import { describe, expect, it } from 'vitest';
import { run } from '../test-io.ts';

describe('toolcrib lint', () => {
  it('prints one line a finding in a pipe, and fails on errors', async () => {
    const { exitCode, stdout, calls } = await run(['lint', 'x']);
    expect(exitCode).toBe(1);
    expect(stdout).toBe(
      [
        'warning\tvague_name\tx__process\tname\t"process" says little.\tNobody knows.\tRename it.',
        'error\tmissing_description\tx__other\tdescription\tThere is none.\tNo words.\tDescribe it.',
        '',
      ].join('\n'),
    );
    expect(calls).not.toContainEqual(expect.stringMatching(/^call /));
  });

  it.each([
    [['--fail-on', 'never'], 0],
    [['--rule', 'vague_name'], 0],
    [['--rule', 'vague_name', '--fail-on', 'warning'], 1],
    [['--fail-on', 'nothing'], 2],
  ])('%j ends with %i', async (args, exitCode) => {
    expect((await run(['lint', ...args])).exitCode).toBe(exitCode);
  });

  it('prints rule by rule on a terminal, with the figures', async () => {
    const { stdout } = await run(['lint', '--level', 'error'], { isTTY: true });
    expect(stdout).toBe(
      [
        'missing_description: no description',
        '  why: No words.',
        '  fix: Describe it.',
        '  error x__other description: There is none.',
        '',
        'RULE                 FINDINGS  TOOLS',
        'missing_description  1         1',
        '',
        '2 tools: 1 error, 0 warnings, 0 of less weight',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON', async () => {
    const printed = JSON.parse((await run(['lint', '--json', '--level', 'error'])).stdout);
    expect(printed).toMatchObject({ tools: 2, levels: { error: 1, warning: 0, info: 0 } });
    expect(Object.keys(printed.findings[0])).toEqual([
      'rule',
      'level',
      'name',
      'server',
      'tool',
      'field',
      'message',
      'why',
      'fix',
    ]);
  });
});
