import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { baseEnv, nodeModules, nodeServer, spec, temporaryFolder, tool, until, upstreamOf } from './harness.ts';

const script = (path: string) => join(nodeModules, path);
const everything = script('@modelcontextprotocol/server-everything/dist/index.js');

describe('servers from npm', () => {
  it('lists all of them, each with its own oddity', async () => {
    const folder = await temporaryFolder();
    const servers = [
      nodeServer('everything', [everything]),
      nodeServer('files', [script('@modelcontextprotocol/server-filesystem/dist/index.js'), folder]),
      nodeServer('memory', [script('@modelcontextprotocol/server-memory/dist/index.js')], {
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      }),
      // Depending on what it is installed beside, its input schemas have no `type`, and the SDK refuses the list.
      nodeServer('gitlab', [script('@modelcontextprotocol/server-gitlab/dist/index.js')], {
        env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'dummy-token' },
      }),
      // Prints a greeting to stdout.
      nodeServer('runner', [script('mcp-server-code-runner/dist/cli.js')]),
      // Speaks both eras.
      nodeServer('context7', [script('@upstash/context7-mcp/dist/index.js')]),
    ];
    const { upstream, catalog } = upstreamOf(servers.map((server, position) => ({ ...server, position })));
    const reports = await upstream.sync();
    expect(reports.map(({ server, state, error }) => ({ server, state, error }))).toEqual(
      servers.map(({ id }) => ({ server: id, state: 'ok', error: undefined })),
    );
    expect(catalog.row('gitlab').raw).toHaveLength(9);
    expect(catalog.row('context7').era?.era).toBe('modern');
    expect(catalog.row('everything').era?.era).toBe('legacy');
    const write = await upstream.call(tool('files', 'write_file'), { path: join(folder, 'a.txt'), content: 'hello' });
    expect(write.isError).toBeUndefined();
    const read = await upstream.call(tool('files', 'read_text_file'), { path: join(folder, 'a.txt') });
    expect(read.content).toMatchObject([{ type: 'text', text: 'hello' }]);
    // Its notice right after the handshake led to one more list at most.
    expect(catalog.row('everything').lists.length).toBeLessThanOrEqual(2);
  });

  it('reaches server-everything over Streamable HTTP', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...baseEnv, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    await until(() => printed.includes('listening'), 'the server to listen');
    const server = spec('everything', { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} });
    const { upstream, catalog } = upstreamOf([server]);
    await expect(upstream.sync()).resolves.toMatchObject([{ state: 'ok' }]);
    expect(catalog.row('everything').era?.era).toBe('legacy');
    const echo = await upstream.call(tool('everything', 'echo'), { message: 'hi' });
    expect(echo.content).toMatchObject([{ type: 'text', text: 'Echo: hi' }]);
  });
});

describe('server-everything', () => {
  it('is stopped when idle, over stdio and HTTP, and works again for the next call', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...baseEnv, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
    await until(() => printed.includes('listening'), 'the server to listen');
    const { upstream } = upstreamOf([
      nodeServer('stdio', [everything], { idleTimeoutMs: 500 }),
      spec(
        'http',
        { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: {} },
        { idleTimeoutMs: 500, position: 1 },
      ),
    ]);
    await upstream.sync();
    for (let round = 0; round < 2; round += 1) {
      await until(() => upstream.states().every(({ state }) => state === 'idle'), 'both to be stopped');
      for (const id of ['stdio', 'http']) {
        const echo = await upstream.call(tool(id, 'echo'), { message: 'hi' });
        expect(echo).toMatchObject({ content: [{ type: 'text', text: 'Echo: hi' }] });
      }
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
