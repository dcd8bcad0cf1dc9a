import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createProgress, formatSettleProgress, formatSyncReport } from '../../../src/cli/output/progress.ts';

const ok = { server: 'a', state: 'ok', tools: 1, added: 0, changed: 1, removed: 2_000, durationMs: 40 } as const;

function buffer({ isTTY = true, color = false } = {}) {
  const chunks: string[] = [];
  return { output: { write: (text: string) => void chunks.push(text), isTTY, columns: 80, color }, chunks };
}

describe('createProgress', () => {
  it('is silent in a pipe', () => {
    const { output, chunks } = buffer({ isTTY: false });
    const progress = createProgress(output, 'start');
    progress.update('more');
    progress.line('done');
    progress.stop();
    expect(chunks).toEqual([]);
  });

  it('writes the lines that stay, safe from texts of servers', () => {
    const { output, chunks } = buffer();
    const progress = createProgress(output, 'start');
    progress.update('more');
    progress.line('a \u001b[2Jb');
    progress.stop();
    expect(chunks).toEqual(['a b\n']);
  });

  it('spins where a stream can be drawn on, and stops', () => {
    const { output } = buffer();
    const stream = new PassThrough() as PassThrough & NodeJS.WriteStream;
    const signals = process.listenerCount('SIGINT');
    const progress = createProgress({ ...output, spinnerStream: stream }, 'asking 3 servers');
    progress.update('asking servers: 1 of 3 done');
    progress.stop();
    const drawn = String(stream.read());
    expect(drawn).toContain('asking 3 servers');
    expect(drawn).toContain('1 of 3 done');
    expect(process.listenerCount('SIGINT')).toBe(signals);
  });
});

describe('formatSyncReport', () => {
  it.each([
    [ok, '✓ a: 1 tool, 1 changed, 2,000 removed, 40 ms'],
    [{ ...ok, state: 'failed', error: 'no\nsuch \u001b[1mfile' }, '✗ a: failed: no such file'],
    [{ ...ok, state: 'failed' }, '✗ a: failed'],
    [{ ...ok, state: 'disabled', error: `variable \${X} is not set` }, `- a: disabled: variable \${X} is not set`],
  ] as const)('%j reads %s', (report, expected) => {
    expect(formatSyncReport(report, buffer().output)).toBe(expected);
  });

  it('colours the mark where colour is wanted', () => {
    expect(formatSyncReport(ok, buffer({ color: true }).output)).toContain('\u001b[32m✓\u001b[39m a');
  });
});

describe('formatSettleProgress', () => {
  it('counts texts', () => {
    expect(formatSettleProgress({ embedded: 120, texts: 2_514 })).toBe('embedding 120 of 2,514 texts');
  });
});
