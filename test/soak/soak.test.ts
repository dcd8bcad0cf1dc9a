import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { growthIn, type Sample } from './run-soak.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** Runs in a process of its own, where nothing else is held. */
function soak(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

it('nothing grows under mixed load while servers crash', { timeout: 240_000 }, async () => {
  const { code, output } = await soak('--minutes', '0.33', '--seed', '7');
  expect(output).toContain('\nflat');
  expect(code, output).toBe(0);
  for (const what of ['call', 'search', 'cancel', 'list changed', 'host', 'crash'])
    expect(output).toContain(`${what} `);
});

describe('growth', () => {
  const at = (index: number, grown: Partial<Sample>): Sample => ({
    atMs: index * 1_000,
    steps: index,
    rss: 200 * 1024 * 1024,
    heap: 50 * 1024 * 1024,
    files: 30,
    handles: 20,
    children: 4,
    listeners: 9,
    ...grown,
  });
  const samples = (grow: (index: number) => Partial<Sample>) =>
    Array.from({ length: 20 }, (_, index) => at(index, grow(index)));

  it('is noticed', () => {
    expect(growthIn(samples(() => ({})))).toEqual([]);
    expect(growthIn(samples((index) => ({ rss: index < 5 ? 0 : 1 })))).toEqual([]);
    expect(growthIn(samples((index) => ({ rss: (200 + 10 * index) * 1024 * 1024 })))).toEqual([
      expect.stringMatching(/^rss grew/),
    ]);
    expect(growthIn(samples((index) => ({ files: 30 + 2 * index })))).toEqual(['files grew from 50 to 62']);
    expect(growthIn(samples((index) => ({ listeners: index < 14 ? 9 : 10 })))).toEqual(['listeners grew from 9 to 10']);
  });

  it('is not what memory does by itself between two samples', () => {
    const floor = [335, 337, 334, 336, 335, 336, 338, 337, 337, 336, 335, 337];
    const freedButNotYetGivenBack = [376, 386, 402, 338, 395, 384, 410, 339];
    const mebibytes = [...floor, ...freedButNotYetGivenBack];
    expect(growthIn(samples((index) => ({ rss: (mebibytes[index] ?? 0) * 1024 * 1024 })))).toEqual([]);
  });

  it('is not a server that was just starting again at the first look', () => {
    const files = [57, 56, 68, 66, 66, 66, 63, 68, 54, 66, 65, 65, 64, 63, 66, 74, 70, 67, 65, 80];
    expect(growthIn(samples((index) => ({ files: files[index] ?? 0 })))).toEqual([]);
  });
});
