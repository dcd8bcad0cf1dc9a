import type { ChildProcess } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SearchResult, ServerListing } from '../../src/model/index.ts';
import { textOf } from '../fixtures/hosts/index.ts';
import { authorizationServer, consentInBrowser } from '../fixtures/servers/authorization-server.ts';
import { protectedServer } from '../fixtures/servers/protected-server.ts';
import { Workspace } from './program.ts';

async function setUp() {
  const as = await authorizationServer();
  const mcp = await protectedServer({ authorizationServers: [as.issuer], inspect: as.inspect });
  const workspace = await Workspace.create({
    mode: 'discovery',
    embedding: 'none',
    credentials: './credentials.json',
    mcpServers: { vault: { type: 'http', url: mcp.url } },
  });
  onTestFinished(() => workspace.remove());
  return { as, mcp, workspace };
}

/** Logs in as a person would who copies the address from the terminal. */
async function logIn(workspace: Workspace): Promise<{ code: number | null; stdout: string }> {
  const { child, result } = workspace.start('login', 'vault', '--json');
  const address = await addressIn(child);
  await consentInBrowser(address);
  return result;
}

async function storedToken(workspace: Workspace): Promise<string> {
  const text = await readFile(workspace.path('credentials.json'), 'utf8');
  return /"access_token": "([^"]+)"/.exec(text)?.[1] ?? '';
}

function addressIn(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`login ended with ${code}: ${printed}`)));
    child.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk;
      const address = /^(http\S+)\n/m.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

describe('a server that wants a login', () => {
  it('shows as such, is logged in to, called, logged out of', async () => {
    const { workspace } = await setUp();
    const sync = await workspace.cli('sync');
    expect(sync.code).toBe(1);
    expect(`${sync.stdout}${sync.stderr}`).toContain('toolcrib login vault');
    const listed = () => workspace.json<ServerListing[]>('list', 'servers');
    expect(await listed()).toMatchObject([{ server: 'vault', state: 'login_required' }]);
    const { notes } = JSON.parse((await workspace.cli('search', 'who am i', '--json')).stdout) as SearchResult;
    expect(notes).toContainEqual({
      code: 'servers_login_required',
      message: expect.stringMatching(/user has to log in .*: vault\.$/),
    });

    const login = await logIn(workspace);
    expect(login.code).toBe(0);
    expect(JSON.parse(login.stdout)).toMatchObject({ server: 'vault', scope: 'mcp:read', tools: 1 });
    expect((await stat(workspace.path('credentials.json'))).mode & 0o777).toBe(0o600);
    const called = await workspace.cli('call', 'vault__whoami');
    expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('did whoami') });
    expect(await listed()).toMatchObject([{ state: 'idle', tools: 1 }]);

    expect((await workspace.cli('logout', 'vault')).stdout).toContain('is deleted, and it was revoked');
    // What was listed for this login is nobody else's.
    expect((await workspace.cli('call', 'vault__whoami')).code).not.toBe(0);
    expect((await workspace.cli('sync')).stdout).toContain('needs a login');
  }, 60_000);

  it('tells a model that its user has to log in, and no way to do it for them', async () => {
    const { as, workspace } = await setUp();
    await logIn(workspace);
    const { host } = await workspace.serve('stdio', 'v2 modern');
    const call = () => host.call('call_tool', { name: 'vault__whoami', arguments: {} });
    expect(textOf(await call())).toContain('did whoami');
    await as.revoke(await storedToken(workspace));
    const refused = await call();
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/needs a login.*Tell the user/);
    expect(JSON.stringify(refused)).not.toMatch(/toolcrib login|http:/);
    const found = await host.call('search_tools', { query: 'who am i' });
    expect(JSON.stringify(found)).not.toContain('toolcrib login');

    // The running program takes up what another one brings.
    await logIn(workspace);
    expect(textOf(await call())).toContain('did whoami');
  }, 60_000);

  it('never gets what a host sends to us', async () => {
    const { mcp, workspace } = await setUp();
    await logIn(workspace);
    const { url } = await workspace.serveHttp();
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: 'Bearer token-of-the-host',
        cookie: 'session=of-the-host',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'call_tool',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'call_tool',
          arguments: { name: 'vault__whoami', arguments: {} },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
            'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
          },
        },
      }),
    });
    expect(await answer.text()).toContain('did whoami');
    expect(mcp.authorizations.length).toBeGreaterThan(1);
    expect(JSON.stringify(mcp.headers)).not.toContain('of-the-host');
  }, 60_000);
});
