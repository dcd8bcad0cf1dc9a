import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors/index.ts';
import { syncReports } from '../scripted-toolcrib.ts';
import { run } from '../test-io.ts';

describe('toolcrib sync', () => {
  it('prints a line a server in a pipe, without progress, and fails when one failed', async () => {
    const { exitCode, stdout, stderr, calls } = await run(['sync']);
    expect(exitCode).toBe(1);
    expect(stdout).toBe(
      'github\tok\t26\t26\t0\t0\t1234\t\nbroken\tfailed\t0\t0\t0\t0\t5\texited with 1\noff\tdisabled\t0\t0\t0\t0\t0\t\n',
    );
    expect(stderr).toBe('');
    expect(calls.at(-1)).toBe('close');
    expect(calls.indexOf('settled')).toBeGreaterThan(calls.findIndex((call) => call.startsWith('sync')));
  });

  it('prints a table on a terminal, and progress on stderr', async () => {
    const { stdout, stderr } = await run(['sync'], { isTTY: true });
    expect(stdout).toBe(
      [
        'SERVER  STATE     TOOLS  ADDED  CHANGED  REMOVED  TIME   ERROR',
        'github  ok        26     26     0        0        1.2 s',
        'broken  failed    0      0      0        0        5 ms   exited with 1',
        'off     disabled  0      0      0        0        0 ms',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('✓ github: 26 tools, 26 added, 1.2 s\n✗ broken: failed: exited with 1\n- off: disabled\n');
  });

  it('prints the reports as JSON', async () => {
    const { stdout } = await run(['sync', '--json']);
    const reports = JSON.parse(stdout);
    expect(reports).toEqual(syncReports);
    expect(Object.keys(reports[1])).toEqual([
      ...['server', 'state', 'tools', 'added', 'changed', 'removed', 'durationMs', 'error'],
    ]);
  });

  it('asks only the servers named', async () => {
    const { calls, exitCode } = await run(['sync', 'github', 'x'], { toolcrib: { sync: async () => [] } });
    expect(calls).toContain('sync ["github","x"]');
    expect(exitCode).toBe(0);
  });

  it('ends with 2 for a server that is not configured', async () => {
    const sync = async () => {
      throw new ToolcribError('server_unknown', 'There is no server "x".');
    };
    expect(await run(['sync', 'x'], { toolcrib: { sync } })).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('There is no server "x".'),
    });
  });
});
