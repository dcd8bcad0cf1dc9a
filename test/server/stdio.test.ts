import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { serveStdio } from '../../src/server/index.ts';
import { FakeRouter } from './fake-router.ts';
import { keepingLogger } from './keeping-logger.ts';

const program = fileURLToPath(new URL('./stdio-program.ts', import.meta.url));
const serverInfo = { name: 'toolcrib', version: '0.0.0' };
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

function line(id: number, message: Record<string, unknown>): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`;
}

function start(router = new FakeRouter()) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(router, { serverInfo, logger: keepingLogger(), input, output });
  const text: string[] = [];
  output.setEncoding('utf8').on('data', (chunk: string) => text.push(chunk));
  const messages = () =>
    text
      .join('')
      .split('\n')
      .filter((part) => part !== '')
      .map((part) => JSON.parse(part));
  return { serving, input, output, messages, router };
}

describe('a connection', () => {
  it('ends, with its running calls, when the host closes its end', async () => {
    const { serving, input, router } = start();
    input.write(line(1, initialize));
    input.write(line(2, { method: 'tools/call', params: { name: 'hang', arguments: {} } }));
    await expect.poll(() => router.calls.length).toBe(1);
    input.end();
    await serving.closed;
    await router.cancelled;
    expect(router.listenerCount).toBe(0);
  });

  it('ends when it is closed here', async () => {
    const { serving, input, messages } = start();
    input.write(line(1, initialize));
    await expect.poll(() => messages().length).toBe(1);
    await serving.close();
    await serving.closed;
  });

  it('ends when the host no longer reads', async () => {
    const { serving, input, output } = start();
    input.write(line(1, initialize));
    output.destroy(Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
    await serving.closed;
  });

  it('goes on after lines that are not JSON', async () => {
    const { input, messages } = start();
    input.write('hello\n\n{"jsonrpc":\n');
    input.write(line(1, initialize));
    await expect.poll(() => messages().map(({ id }) => id)).toEqual([1]);
  });

  it('tells a host of changes only in direct mode', async () => {
    const { input, messages, router } = start(new FakeRouter('direct'));
    input.write(line(1, initialize));
    await expect.poll(() => messages().length).toBe(1);
    router.addTool('added');
    await expect.poll(() => messages().at(-1)?.method).toBe('notifications/tools/list_changed');
  });

  it('cancels one call when the host asks for it', async () => {
    const { input, router, messages } = start();
    input.write(line(1, initialize));
    input.write(line(2, { method: 'tools/call', params: { name: 'hang', arguments: {} } }));
    await expect.poll(() => router.calls.length).toBe(1);
    const params = { requestId: 2, reason: 'enough' };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })}\n`);
    await router.cancelled;
    input.write(line(3, { method: 'ping' }));
    await expect.poll(() => messages().map(({ id }) => id)).toEqual([1, 3]);
  });
});

describe('a process', () => {
  it('writes nothing but messages to stdout and ends by itself when stdin closes', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', program], { stdio: 'pipe' });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdin.write(line(1, initialize));
    child.stdin.write(line(2, { method: 'tools/call', params: { name: 'crash', arguments: {} } }));
    await expect.poll(() => out.split('\n').length, { timeout: 20_000 }).toBe(3);
    child.stdin.end();
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    const ids = out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text).id);
    expect(ids).toEqual([1, 2]);
    expect(err).toContain('closed');
  });
});
