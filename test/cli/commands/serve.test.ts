import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../../src/errors/index.ts';
import { run } from '../test-io.ts';

const address = 'http://127.0.0.1:4321/mcp';

describe('toolcrib serve', () => {
  it.each([[true], [false]])('leaves stdout to the protocol (terminal: %s)', async (isTTY) => {
    expect(await run(['serve', '--config', 'c.json', '--json'], { isTTY })).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
      served: [{ configPath: 'c.json' }],
      opened: [],
    });
  });

  it.each([
    [['--http'], {}],
    [['--http', '0'], { port: 0 }],
    [['--http', '8080', '--host', '::1'], { port: 8080, host: '::1' }],
    [['--http', '--host', 'localhost'], { host: 'localhost' }],
  ])('serves HTTP with %j', async (args, http) => {
    expect((await run(['serve', ...args])).served).toEqual([{ http, onConsoleLink: expect.any(Function) }]);
  });

  it('tells where it listens', async () => {
    const app = { serve: async () => ({ address, closed: Promise.resolve() }) };
    expect(await run(['serve', '--http'], { app })).toMatchObject({ stdout: '', stderr: `Listening on ${address}\n` });
    expect(await run(['serve', '--http', '--json'], { app })).toMatchObject({
      stdout: `{"address":"${address}"}\n`,
      stderr: '',
    });
  });

  it('runs until the server has ended', async () => {
    let end: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      end = resolve;
    });
    let isOver = false;
    const running = run(['serve'], { app: { serve: async () => ({ closed }) } }).then((result) => {
      isOver = true;
      return result;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    end();
    expect((await running).exitCode).toBe(0);
  });

  it('hands on the signal that ends it', async () => {
    const { signal } = new AbortController();
    expect((await run(['serve'], { signal })).served).toEqual([{ signal }]);
  });

  it.each([
    [['--http', '70000'], 'Expected a whole number from 0 to 65535.'],
    [['--host', '127.0.0.1'], '--host is given without --http'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, stderr, served } = await run(['serve', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(served).toEqual([]);
  });

  it('ends with 2 when the address is refused', async () => {
    const serve = async () => {
      throw new ToolcribError('address_refused', '0.0.0.0 is not a loopback address.');
    };
    expect((await run(['serve', '--http', '--host', '0.0.0.0'], { app: { serve } })).exitCode).toBe(2);
  });

  it('fails when the server breaks', async () => {
    const serve = async () => ({ closed: Promise.reject(new Error('socket gone')) });
    expect(await run(['serve'], { app: { serve } })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('socket gone'),
    });
  });
});
