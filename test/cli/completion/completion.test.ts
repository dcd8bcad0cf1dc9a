import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../config/temporary-folder.ts';
import { run } from '../test-io.ts';

const hasShell = (shell: string) => spawnSync(shell, ['--version']).status === 0;

describe.runIf(hasShell('bash'))('completion in bash', () => {
  it.each([
    ['toolcrib imp', ['import']],
    ['toolcrib list ', ['servers', 'tools']],
    ['toolcrib list tools --pro', ['--problems']],
    ['toolcrib --ver', ['--version']],
    ['toolcrib install c', ['claude-code', 'claude-desktop', 'cursor']],
    ['toolcrib search --arm lex', ['lexical']],
    ['toolcrib search "an issue" --server git', ['github']],
    ['toolcrib call git', ['github__create_issue', 'github__get_issue']],
    ['toolcrib call --config other.json x', ['x-from-other']],
    ['toolcrib approve git', ['github__create_issue', 'github__get_issue', 'github']],
    ['toolcrib sync --config co', ['config.json']],
    ['toolcrib serve --log-level w', ['warn']],
    // A command is one only where commands stand.
    ['toolcrib search list ', []],
    ['toolcrib stats --catalog list --no', ['--no-sync']],
    ['toolcrib nothing-here ', []],
  ])('%s', async (line, expected) => {
    expect(await completeInBash(line)).toEqual(expected);
  });
});

describe.runIf(hasShell('fish'))('completion in fish', () => {
  it('completes commands', async () => {
    const { stdout: script } = await run(['completion', 'fish']);
    const { stdout } = spawnSync('fish', ['-N', '-c', `${script}\ncomplete -C 'toolcrib imp'`], { encoding: 'utf8' });
    expect(stdout).toMatch(/^import\b/);
  });
});

describe.runIf(hasShell('zsh'))('completion in zsh', () => {
  it('is a script that loads', async () => {
    const { stdout: script } = await run(['completion', 'zsh']);
    expect(spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('toolcrib completion', () => {
  it('gives each shell every command', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout, exitCode } = await run(['completion', shell]);
      expect(exitCode).toBe(0);
      for (const word of ['doctor', 'install', 'log-level', 'approvals']) expect(stdout).toContain(word);
      expect(stdout).not.toContain('--names <');
    }
  });

  it('lists names of the catalog, but none that a shell would read as more than a word', async () => {
    const listTools = () =>
      ['a__b', 'x__$(rm)', 'sp ace'].map((name) => ({ name, server: 's', tool: 't', status: 'ok' as const }));
    const { stdout } = await run(['completion', '--names', 'tools and servers'], { toolcrib: { listTools } });
    expect(stdout).toBe('a__b\ngithub\nbroken\noff\n');
  });

  it('wants a shell', async () => {
    expect(await run(['completion'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('bash, zsh, fish'),
    });
    expect((await run(['completion', 'csh'])).exitCode).toBe(2);
  });
});

/** What bash would offer at the end of a line; `toolcrib` itself is a script that knows some names. */
async function completeInBash(line: string): Promise<string[]> {
  const { stdout: script } = await run(['completion', 'bash']);
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.json'), '');
  writeFileSync(
    join(folder, 'toolcrib'),
    `#!/bin/sh
[ "$*" = "completion --names tools --config other.json" ] && { echo x-from-other; exit; }
case "$3" in *tools*) echo github__create_issue; echo github__get_issue ;; esac
case "$3" in *servers*) echo github; echo broken ;; esac
`,
  );
  chmodSync(join(folder, 'toolcrib'), 0o755);
  writeFileSync(
    join(folder, 'ask.sh'),
    `${script}
eval "COMP_WORDS=($1)"
[[ $1 == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
_toolcrib
[[ \${#COMPREPLY[@]} -eq 0 ]] || printf '%s\\n' "\${COMPREPLY[@]}"
`,
  );
  const env = { PATH: `${folder}:${process.env.PATH}` };
  const { stdout, stderr } = spawnSync('bash', ['--norc', join(folder, 'ask.sh'), line], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}
