import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../catalog/harness.ts';
import { run } from '../test-io.ts';

describe('toolcrib collisions', () => {
  it('prints one line a pair in a pipe', async () => {
    expect(await run(['collisions'])).toMatchObject({
      exitCode: 0,
      stdout: '0.877\ta__list\tb__list\tnone\tsome, few\n',
    });
  });

  it('prints both tools of a pair on a terminal, and how much was looked at', async () => {
    const { stdout } = await run(['collisions', 'a', '--limit', '1'], { isTTY: true });
    expect(stdout).toBe(
      [
        '0.88  verb 1.00, noun 1.00, description 0.50, arguments 0.00',
        '  a__list  Lists all.',
        '    apart: none',
        '  b__list  Lists some.',
        '    apart: some, few',
        '',
        '2 close pairs, 1 shown; 3 tools, 2 of 3 pairs looked at',
        '10 % of the tools have no vector yet: pairs of other words are missed.',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['cases.yaml', 'yaml'],
    ['cases.jsonl', 'jsonl'],
  ])('writes tasks to %s, and the prompt beside it', async (name, format) => {
    const file = join(temporaryFolder(), name);
    const { exitCode, stderr } = await run(['collisions', '--tasks', file]);
    expect(exitCode).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`cases as ${format}\n`);
    expect(readFileSync(`${file}.prompt.md`, 'utf8')).toBe('Write cases.\n');
    expect(stderr).toContain(`${file}.prompt.md`);
  });

  it('says where it cannot write', async () => {
    const { exitCode, stderr } = await run(['collisions', '--tasks', join(temporaryFolder(), 'none', 'cases.yaml')]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('(file_unusable)');
  });

  it('prints JSON', async () => {
    const printed = JSON.parse((await run(['collisions', '--json'])).stdout);
    expect(printed.collisions[0].tools[1].apart).toEqual(['some', 'few']);
  });
});
