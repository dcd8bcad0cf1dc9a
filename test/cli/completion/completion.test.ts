import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../config/temporary-folder.ts';
import { run } from '../test-io.ts';

const hasShell = (shell: string) => spawnSync(shell, ['--version']).status === 0;

const cases: [line: string, offered: string[]][] = [
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
];

describe.each([
  ['bash', completeInBash],
  ['zsh', completeInZsh],
  ['fish', completeInFish],
] as const)('completion in %s', (shell, complete) => {
  it.skipIf(!hasShell(shell)).each(cases)('%s', async (line, offered) => {
    // fish puts them in order itself.
    expect(await complete(line)).toEqual(shell === 'fish' ? [...offered].sort() : offered);
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

/** What bash would offer at the end of a line. */
function completeInBash(line: string): Promise<string[]> {
  return ask(['bash', '--norc'], line, (script) => [
    script,
    `COMP_WORDS=(${line})`,
    '[[ $1 == *" " ]] && COMP_WORDS+=("")',
    `COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))`,
    '_toolcrib',
    `[[ \${#COMPREPLY[@]} -eq 0 ]] || printf '%s\\n' "\${COMPREPLY[@]}"`,
  ]);
}

/** The same as zsh's layer for functions of bash calls them. What does not begin as the last word does zsh leaves out itself. */
async function completeInZsh(line: string): Promise<string[]> {
  const offered = await ask(['zsh', '-f'], line, (script) => [
    script,
    'offer() {',
    'emulate -L sh',
    `COMP_WORDS=(${line}${line.endsWith(' ') ? ' ""' : ''})`,
    `COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))`,
    '_toolcrib',
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
    '}',
    'offer',
  ]);
  const last = line.split(' ').at(-1) ?? '';
  return offered.filter((word) => word.startsWith(last));
}

function completeInFish(line: string): Promise<string[]> {
  return ask(['fish', '-N'], line, (script) => [script, "complete -C $argv[1] | string replace -r '\\t.*' ''"]);
}

/** Runs a shell in a folder with one file and a `toolcrib` that knows some names. */
async function ask(
  [shell, ...args]: [string, ...string[]],
  line: string,
  lines: (script: string) => string[],
): Promise<string[]> {
  const { stdout: script } = await run(['completion', shell]);
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
  const asking = join(temporaryFolder(), 'ask');
  writeFileSync(asking, lines(script).join('\n'));
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const { stdout, stderr } = spawnSync(shell, [...args, asking, line], { cwd: folder, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}
