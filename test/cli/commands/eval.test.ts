import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../catalog/harness.ts';
import { run } from '../test-io.ts';

describe('toolcrib eval', () => {
  let file: string;
  beforeEach(() => {
    file = join(temporaryFolder(), 'c.jsonl');
    writeFileSync(file, '{}');
  });

  it('prints one line a figure in a pipe', async () => {
    const { exitCode, stdout, opened } = await run(['eval', file, '--held-out', file]);
    expect(exitCode).toBe(0);
    expect(opened).toEqual([{ needsModel: true }]);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'cases\tcases\t4',
      'cases\trecall@1\t0.500',
      'cases\trecall@3\t0.750',
      'cases\trecall@5\t0.750',
      'cases\trecall@10\t1.000',
    ]);
    expect(lines).toContain('cases attack stuffing\tmeanRise\t3');
    expect(lines).toContain('held out none\tweak\t0.500');
  });

  it('prints tables, misses and changes on a terminal', async () => {
    const baseline = join(temporaryFolder(), 'baseline.json');
    writeFileSync(baseline, '{}');
    const { stdout } = await run(['eval', file, '--model', '--baseline', baseline], { isTTY: true });
    expect(stdout).toBe(
      [
        'KIND  CASES  RECALL@1  @3    @5    @10',
        'task  2      0.50      0.75  0.75  1.00',
        'none  2                                  marked weak 50 %, without hits 0 %',
        'all   4      0.50      0.75  0.75  1.00',
        '',
        'ATTACK    CASES  PLACES RISEN  OVERTOOK  FOUND BY THE SCAN',
        'stuffing  1      3.0           0 %       100 %',
        '',
        'MODEL, BY KIND  CASES  RIGHT',
        'task            4      75 %',
        'all             4      75 %',
        'scripted: 1,000 tokens read, 100 written, 9 round trips',
        '',
        'not among the first five:',
        '  one: "of c.jsonl" expects a__b (not found); first a__c',
        '',
        'came first in place of the right one:',
        '  a__c for a__b: one, two',
        '',
        'against the baseline: recall@1 -0.250, @3 +0.000, @5 +0.125, @10 +0.000; 1 case added, 0 removed',
        'worse:',
        '  one: place 1 to not found',
        '',
        '4 cases on 40 tools, 50 % of their texts with a vector',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [['--fail-below', '0.75'], 0, ''],
    [['--fail-below', '0.8'], 1, 'recall@5 is 0.750, below 0.8.\n'],
    [['--fail-below', 'recall@10=1', '--fail-below', 'recall@1=0.6'], 1, 'recall@1 is 0.500, below 0.6.\n'],
    [['--fail-below', 'model=0.5'], 1, 'model is 0.000, below 0.5.\n'],
    [['--fail-below', 'model=0.75', '--model'], 0, ''],
  ])('%j ends with %i', async (args, exitCode, stderr) => {
    expect(await run(['eval', file, ...args])).toMatchObject({ exitCode, stderr });
  });

  it.each([
    [['--fail-below', '80']],
    [['--fail-below', 'recall@4=0.5']],
    [['--baseline', 'nowhere.json']],
    [['nowhere.yaml']],
  ])('%j is a fault of the command line', async (args) => {
    expect((await run(['eval', file, ...args])).exitCode).toBe(2);
  });

  it('says that a baseline is not JSON', async () => {
    const baseline = join(temporaryFolder(), 'baseline.json');
    writeFileSync(baseline, '{');
    expect((await run(['eval', file, '--baseline', baseline])).stderr).toContain('(file_unusable)');
  });

  it('writes a baseline', async () => {
    const baseline = join(temporaryFolder(), 'baseline.json');
    await run(['eval', file, '--write-baseline', baseline]);
    expect(JSON.parse(readFileSync(baseline, 'utf8'))).toMatchObject({ baselineVersion: 1, ranks: { one: 0 } });
  });

  it('prints JSON', async () => {
    expect(JSON.parse((await run(['eval', file, '--json'])).stdout)).toMatchObject({ recall: { 5: 0.75 }, tools: 40 });
  });
});
