import { describe, expect, it } from 'vitest';
import type { ServerListing } from '../../src/model/index.ts';
import { run } from './test-io.ts';

const listed: ServerListing = { server: 'a', state: 'idle', tools: 1, listedAt: '2026-11-30T00:00:00Z', stale: false };
const fresh: ServerListing = { server: 'b', state: 'idle', tools: 0, stale: false };
const failed: ServerListing = { server: 'c', state: 'idle', tools: 0, stale: false, problem: 'exited' };
const off: ServerListing = { server: 'd', state: 'disabled', tools: 0, stale: false };

const commands = [['search', 'x'], ['describe', 'x'], ['call', 'x'], ['list', 'tools'], ['stats']];

function syncs(calls: readonly string[]): string[] {
  return calls.filter((call) => call.startsWith('sync'));
}

describe('before a command', () => {
  it.each(commands)('%s %s: servers that were never asked are listed first', async (...argv) => {
    const { calls, stdout, stderr } = await run(argv, {
      toolcrib: { listServers: () => [listed, fresh, failed, off] },
    });
    expect(syncs(calls)).toEqual(['sync ["b"]']);
    expect(calls).toContain('settled');
    expect(stdout).not.toContain('26 tools');
    expect(stderr).not.toContain('26 tools');
  });

  it('progress is told on a terminal', async () => {
    const { stderr } = await run(['stats'], { isTTY: true, toolcrib: { listServers: () => [fresh] } });
    expect(stderr).toContain('✓ github: 26 tools, 26 added, 1.2 s\n');
  });

  it.each([
    ['all are listed', [listed, off], []],
    ['the unlisted one failed before', [listed, failed], []],
    ['nothing was ever listed, failures included', [fresh, failed, off], ['sync ["b","c"]']],
    ['there is no server', [], []],
    ['all are switched off', [off], []],
  ])('when %s', async (_, servers, expected) => {
    const { calls } = await run(['search', 'x'], { toolcrib: { listServers: () => servers } });
    expect(syncs(calls)).toEqual(expected);
  });

  it.each(commands)('%s %s: --no-sync switches it off', async (...argv) => {
    const { calls } = await run([...argv, '--no-sync'], { toolcrib: { listServers: () => [fresh] } });
    expect(syncs(calls)).toEqual([]);
  });
});
