import { describe, expect, it } from 'vitest';
import type { ConsoleOptions } from '../../../src/cli/io.ts';
import { type RunOptions, run } from '../test-io.ts';

const link = (token: string) => `http://127.0.0.1:4321/console/login?token=${token}`;

/** What the command asks of the app, which gives out two links. */
async function runConsole(argv: string[], options: RunOptions = {}) {
  const asked: ConsoleOptions[] = [];
  const openConsole = async (consoleOptions: ConsoleOptions) => {
    asked.push(consoleOptions);
    consoleOptions.onLink(link('first'));
    consoleOptions.onLink(link('second'));
    return { closed: Promise.resolve() };
  };
  return { asked, ...(await run(['console', ...argv], { ...options, app: { openConsole } })) };
}

describe('toolcrib console', () => {
  it('opens the first link in the browser of who sits there, and prints each', async () => {
    const { asked, browsed, stdout, exitCode } = await runConsole(['--config', 'a.json'], { isTTY: true });
    expect(exitCode).toBe(0);
    expect(asked).toMatchObject([{ port: 0, configPath: 'a.json' }]);
    expect(browsed).toEqual([link('first')]);
    expect(stdout).toBe(`Open ${link('first')}\nFor another browser: ${link('second')}\n`);
  });

  it.each([
    ['with --no-open', ['--no-open'], true],
    ['in a pipe', [], false],
  ])('opens nothing %s', async (_, argv, isTTY) => {
    expect((await runConsole(argv, { isTTY })).browsed).toEqual([]);
  });

  it('prints a JSON object a link for programs', async () => {
    const { stdout } = await runConsole(['--json', '--port', '8123']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([{ link: link('first') }, { link: link('second') }]);
  });

  it.each(['-1', '65536', 'x'])('refuses the port %s', async (port) => {
    expect((await runConsole(['--port', port])).exitCode).toBe(2);
  });
});
