import { describe, expect, it } from 'vitest';
import { servers } from '../scripted-toolcrib.ts';
import { run } from '../test-io.ts';

describe('toolcrib list servers', () => {
  it('prints exact lines in a pipe', async () => {
    expect(await run(['list', 'servers'])).toMatchObject({
      exitCode: 0,
      stdout:
        'github\tidle\t26\t2026-11-30T05:06:07.000Z\tlegacy 2025-06-18\t\nbroken\tfailed\t0\t\t\texited with 1\noff\tdisabled\t0\t\t\t\n',
      stderr: '',
    });
  });

  it('prints a table on a terminal', async () => {
    const { stdout } = await run(['list', 'servers'], { isTTY: true, columns: 100 });
    expect(stdout).toBe(
      [
        'SERVER  STATE     TOOLS  LISTED                        ERA                PROBLEM',
        'github  idle      26     2026-11-30 05:06 UTC (stale)  legacy 2025-06-18',
        'broken  failed    0      never                                            exited with 1',
        'off     disabled  0      never',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON', async () => {
    const { stdout, calls } = await run(['list', 'servers', '--json']);
    expect(JSON.parse(stdout)).toEqual(servers);
    expect(Object.keys(JSON.parse(stdout)[0])).toEqual(['server', 'state', 'tools', 'listedAt', 'stale', 'era']);
    expect(calls.some((call) => call.startsWith('sync'))).toBe(false);
  });

  it('leaves out those in order when asked for problems', async () => {
    const { stdout } = await run(['list', 'servers', '--problems', '--json']);
    expect(JSON.parse(stdout).map(({ server }: { server: string }) => server)).toEqual(['broken']);
  });
});

describe('toolcrib list tools', () => {
  it('prints one line a tool in a pipe, whatever its texts hold', async () => {
    expect(await run(['list', 'tools'])).toMatchObject({
      exitCode: 0,
      stdout: 'github__a\tgithub\tok\t\nx__b\tx\trepaired\ttype "object" was added\n',
    });
  });

  it('prints a table on a terminal', async () => {
    const { stdout } = await run(['list', 'tools'], { isTTY: true });
    expect(stdout).toBe(
      [
        'NAME       SERVER  STATUS    PROBLEM',
        'github__a  github  ok',
        'x__b       x       repaired  type "object" was added',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON', async () => {
    const tools = JSON.parse((await run(['list', 'tools', '--json'])).stdout);
    expect(Object.keys(tools[0])).toEqual(['name', 'server', 'tool', 'status']);
    expect(Object.keys(tools[1])).toEqual(['name', 'server', 'tool', 'status', 'problem']);
  });

  it('hands on the filter', async () => {
    const { calls } = await run(['list', 'tools', '--server', 'github', '--problems']);
    expect(calls).toContain('listTools {"server":"github","problemsOnly":true}');
  });

  it('ends with 2 for a server that is not there', async () => {
    const { exitCode, stderr } = await run(['list', 'tools', '--server', 'gitub']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There is no server "gitub". There are github, broken, off.');
  });
});
