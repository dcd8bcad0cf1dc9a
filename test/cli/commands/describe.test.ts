import { describe, expect, it } from 'vitest';
import { run } from '../test-io.ts';

describe('toolcrib describe', () => {
  it.each([[true], [false]])(
    'prints what a model would read, without control characters (terminal: %s)',
    async (isTTY) => {
      const { exitCode, stdout } = await run(['describe', 'github__get_issue'], { isTTY });
      expect(exitCode).toBe(0);
      expect(stdout).toBe('github__get_issue\nGets an issue\n');
    },
  );

  it('prints the definition as JSON, without the text', async () => {
    const { stdout } = await run(['describe', 'github__get_issue', '--json']);
    expect(Object.keys(JSON.parse(stdout))).toEqual([
      'name',
      'server',
      'tool',
      'hash',
      'status',
      'description',
      'signature',
      'inputSchema',
      'annotationsTrusted',
      'approval',
      'example',
    ]);
  });

  it('hands on the path', async () => {
    const { calls } = await run(['describe', 'a', '--path', '/properties/x']);
    expect(calls).toContain('describe "a" {"path":"/properties/x"}');
  });

  it('ends with 3 for an unknown tool and says how to find it', async () => {
    const { exitCode, stdout, stderr } = await run(['describe', 'nope']);
    expect(exitCode).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      'error: No such tool (unknown_tool)\nThere is no tool "nope". Nearest: "node".\nnext: Search for it: toolcrib search "what it should do"\n',
    );
  });
});
