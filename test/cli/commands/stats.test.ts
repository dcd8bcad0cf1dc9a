import { describe, expect, it } from 'vitest';
import { stats } from '../scripted-toolcrib.ts';
import { run } from '../test-io.ts';

describe('toolcrib stats', () => {
  it('prints one line a figure in a pipe', async () => {
    const { exitCode, stdout } = await run(['stats']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'servers\t2',
        'tools\t2514',
        'definitionTokens\t412345',
        'metaToolTokens\t580',
        'savedPercent\t99.86',
        'mode\tdiscovery',
        'modeReason\t412,345 tokens are more than 10,000',
        'tokenizer\to200k_base',
        'breakEvenSearches\t1083',
        'server\tgithub\t26\t5000',
        '',
      ].join('\n'),
    );
  });

  it('prints tables on a terminal', async () => {
    const { stdout } = await run(['stats'], {
      isTTY: true,
      toolcrib: { stats: async () => ({ ...stats, nextMode: 'direct' }) },
    });
    expect(stdout).toBe(
      [
        'FIGURE              VALUE',
        'servers             2',
        'tools               2,514',
        'all definitions     412,345 tokens (o200k_base)',
        'meta-tools          580 tokens',
        'saved               99.9 %',
        'pays up to          1,083 searches a conversation',
        'mode                discovery: 412,345 tokens are more than 10,000',
        'mode at next start  direct',
        '',
        'SERVER  TOOLS  TOKENS',
        'github  26     5,000',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON', async () => {
    const printed = JSON.parse((await run(['stats', '--json'])).stdout);
    expect(Object.keys(printed)).toEqual([
      'servers',
      'tools',
      'definitionTokens',
      'metaToolTokens',
      'savedPercent',
      'mode',
      'modeReason',
      'tokenizer',
      'breakEvenSearches',
      'perServer',
    ]);
    expect(Object.keys(printed.perServer[0])).toEqual(['server', 'tools', 'definitionTokens']);
  });
});
