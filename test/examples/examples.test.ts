import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const folder = resolve(import.meta.dirname, '../../examples');
const helpers = ['run.ts', 'scripted-model.ts', 'servers.ts'];
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !helpers.includes(file))
  .map((file) => file.replace(/\.ts$/, ''));

/** The program as it is built, in a process of its own, as a reader would run it. */
async function run(name: string): Promise<string> {
  const args = ['--import', 'tsx', resolve(folder, 'run.ts'), name];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
  expect(stderr).toBe('');
  return stdout;
}

it('has an example for every adapter', () => {
  expect(names.sort()).toEqual([
    'ai-sdk',
    'anthropic',
    'anthropic-deferred',
    'mcp-host',
    'openai-chat',
    'openai-responses',
  ]);
});

it('names the examples there are, for a name that is none', async () => {
  await expect(run('openai')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining([...names].sort().join(', ')),
  });
});

it.each(names)('%s runs to its end', async (name) => {
  const output = await run(name);
  expect(output).toMatch(/add a note|search_tools/);
  expect(output).toContain('Buy milk');
  expect(output).toContain(name === 'mcp-host' ? 'Note 1 added.' : 'I have noted it.');
});
