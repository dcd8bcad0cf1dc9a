import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors/index.ts';
import { run } from '../test-io.ts';

const address = 'https://login.example/authorize?state=abc';

describe('toolcrib login', () => {
  it('opens the browser of a person at a terminal, prints the address, and says what came of it', async () => {
    const { exitCode, stdout, stderr, browsed } = await run(['login', 'github'], { isTTY: true });
    expect(exitCode).toBe(0);
    expect(browsed).toEqual([address]);
    expect(stderr).toContain(`Your browser was sent to\n${address}`);
    expect(stdout).toBe('Logged in to github at https://login.example (read). 3 tools.\n');
  });

  it.each([
    { name: 'with --no-browser', argv: ['--no-browser'], isTTY: true },
    { name: 'without a terminal', argv: [], isTTY: false },
  ])('only prints the address $name', async ({ argv, isTTY }) => {
    const { browsed, stderr } = await run(['login', 'github', ...argv], { isTTY });
    expect(browsed).toEqual([]);
    expect(stderr).toContain(`Open this address in a browser on this machine:\n${address}`);
  });

  it('gives programs the report, and the time it was given', async () => {
    let timeoutMs: number | undefined;
    const { stdout } = await run(['login', 'github', '--json', '--timeout', '20'], {
      toolcrib: {
        login: async (server, options) => {
          timeoutMs = options.timeoutMs;
          return { server, issuer: 'https://login.example', isRenewable: false, problem: 'no list' };
        },
      },
    });
    expect(JSON.parse(stdout)).toMatchObject({ server: 'github', problem: 'no list' });
    expect(timeoutMs).toBe(20_000);
  });

  it('fails with the reason of a refusal', async () => {
    const refusal = new ToolcribError('login_refused', 'It is not safe.');
    const toolcrib = { login: () => Promise.reject(refusal) };
    const { exitCode, stderr } = await run(['login', 'github'], { toolcrib });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('It is not safe.');
  });
});

describe('toolcrib logout', () => {
  it('says what was deleted', async () => {
    const { stdout } = await run(['logout', 'github']);
    expect(stdout).toBe('The login to github is deleted, and it was revoked.\n');
    const none = async (server: string) => ({ server, wasLoggedIn: false, isRevoked: false });
    expect((await run(['logout', 'github'], { toolcrib: { logout: none } })).stdout).toContain('no login');
    expect(JSON.parse((await run(['logout', 'github', '--json'])).stdout)).toMatchObject({ wasLoggedIn: true });
  });
});
