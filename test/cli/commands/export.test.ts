import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../catalog/harness.ts';
import { run } from '../test-io.ts';

describe('toolcrib export', () => {
  it('prints Markdown that is safe to print', async () => {
    const { exitCode, stdout } = await run(['export', '--describe'], { isTTY: true });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^# What a model sees: discovery mode\n/);
    expect(stdout).toContain('```text\nDoes b.\n```');
    expect(stdout).toContain('All about b.');
  });

  it('prints JSON of the mode asked for', async () => {
    const { stdout } = await run(['export', '--mode', 'direct', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      mode: 'direct',
      tools: [{ name: 'a__b', description: 'Does \u001b[31mb.' }],
    });
  });

  it('writes a file, and then prints nothing', async () => {
    const file = join(temporaryFolder(), 'view.json');
    expect(await run(['export', '--json', '--out', file])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ tokens: 30 });
  });

  it('knows two modes', async () => {
    expect((await run(['export', '--mode', 'auto'])).exitCode).toBe(2);
  });
});
