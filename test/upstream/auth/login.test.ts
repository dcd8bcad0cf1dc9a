import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { authorizationServer, consentInBrowser } from '../../fixtures/servers/authorization-server.ts';
import { freePort, spec, tool, upstreamOf } from '../harness.ts';
import { browser, setUp, whoami } from './set-up.ts';

describe('login', () => {
  it('leads from login_required to calls that work, in this process and the next', async () => {
    const { as, mcp, open, stored } = await setUp();
    const { upstream, catalog } = open();
    await expect(upstream.call(whoami, {})).rejects.toMatchObject({ code: 'login_required' });
    expect(upstream.states()).toMatchObject([{ id: 'vault', state: 'login_required' }]);

    const user = browser();
    const report = await upstream.login('vault', user);
    expect(report).toMatchObject({
      server: 'vault',
      issuer: as.issuer,
      scope: 'mcp:read',
      isRenewable: true,
      tools: 1,
    });
    await expect(upstream.call(whoami, {})).resolves.toMatchObject({ content: [{ text: 'did whoami' }] });
    expect(upstream.states()).toMatchObject([{ state: 'ready' }]);
    expect(catalog.row('vault').toolCount).toBeGreaterThan(0);

    const asked = user.visited[0]?.searchParams;
    expect(asked?.get('code_challenge_method')).toBe('S256');
    expect(asked?.get('resource')).toBe(mcp.url);
    expect(asked?.get('scope')).toContain('mcp:read');
    expect(stored().now).toMatchObject({ resource: mcp.url, client: { issuer: as.issuer } });

    await expect(open().upstream.call(whoami, {})).resolves.toHaveProperty('content');
    expect(user.failures).toEqual([]);
  });

  it('has private lists read that were fetched with this login, and with no other', async () => {
    const { open } = await setUp();
    const { upstream, catalog } = open();
    const partition = () => catalog.credentials.get('vault');
    const before = partition();
    await upstream.login('vault', browser());
    const first = partition();
    const next = open();
    expect(next.catalog.credentials.get('vault')).toBe(first);
    await upstream.login('vault', browser());
    const second = partition();
    await upstream.logout('vault');
    upstream.refreshInBackground();
    expect(partition()).toBe(before);
    expect(new Set([before, first, second]).size).toBe(3);
  });

  it('keeps the tokens where only the user can read them, and shows them in no log line', async () => {
    const { file, open, stored } = await setUp();
    const { upstream, logger } = open();
    await upstream.login('vault', browser());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { access_token, refresh_token } = stored().now.tokens ?? {};
    const log = JSON.stringify(logger.lines);
    expect(log).not.toContain(access_token);
    expect(log).not.toContain(refresh_token);
  });

  it('uses a registration again, and registers anew at another authorization server', async () => {
    const { as, mcp, open, stored } = await setUp();
    const { upstream } = open();
    await upstream.login('vault', browser());
    const { client } = stored().now;
    await upstream.login('vault', browser());
    expect(stored().now.client).toEqual(client);
    expect(as.count('POST /reg')).toBe(1);

    const other = await authorizationServer();
    mcp.settings.authorizationServers = [other.issuer];
    mcp.settings.inspect = other.inspect;
    await upstream.login('vault', browser());
    expect(other.count('POST /reg')).toBe(1);
    expect(stored()).toMatchObject({ issuer: other.issuer, issued: { [as.issuer]: { client } } });
    await expect(open().upstream.call(whoami, {})).resolves.toHaveProperty('content');
    expect(as.count('POST /token')).toBe(2);
  });

  it('uses a client that the user registered, and sends its secret to no other authorization server', async () => {
    const callbackPort = await freePort();
    const client = {
      client_id: 'mine',
      client_secret: 's3cret-of-mine',
      redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`],
      application_type: 'native' as const,
      grant_types: ['authorization_code', 'refresh_token'],
    };
    const { mcp, as, open, file } = await setUp({ as: { clients: [client], registers: false } });
    const oauth = { clientId: client.client_id, clientSecret: client.client_secret, callbackPort };
    const { upstream } = open({ oauth });
    const user = browser();
    await upstream.login('vault', user);
    expect(user.visited[0]?.searchParams.get('client_id')).toBe('mine');
    await expect(upstream.call(whoami, {})).resolves.toHaveProperty('content');
    expect(readFileSync(file, 'utf8')).not.toContain(client.client_secret);

    const other = await authorizationServer();
    mcp.settings.authorizationServers = [other.issuer];
    await expect(upstream.login('vault', browser())).rejects.toMatchObject({
      code: 'login_refused',
      message: expect.stringContaining(as.issuer),
    });
    expect(other.count('POST /token')).toBe(0);
  });

  it('asks for more scopes where the server does, and for all of them at once', async () => {
    const { open, stored } = await setUp({ mcp: { toolScopes: { write: 'mcp:write' } } });
    const { upstream } = open();
    await upstream.login('vault', browser());
    const write = tool('vault', 'write');
    const refusal = await upstream.call(write, {}).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'login_required', message: expect.stringContaining('wider permissions') });
    // What the login is good for goes on.
    await expect(upstream.call(whoami, {})).resolves.toHaveProperty('content');
    expect(upstream.states()).toMatchObject([{ state: 'ready' }]);
    expect(stored().challenge).toMatchObject({ isStepUp: true });

    const user = browser();
    await upstream.login('vault', user);
    expect(user.visited[0]?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['mcp:read', 'mcp:write']),
    );
    await expect(upstream.call(write, {})).resolves.toHaveProperty('content');
    expect(stored().challenge).toBeUndefined();
  });

  it('stops asking a user who is never let in', async () => {
    const { open, as, mcp } = await setUp({ mcp: { inspect: async () => undefined } });
    const visited: URL[] = [];
    const authorizer = {
      redirectUrl: 'http://127.0.0.1:9/callback',
      authorize: async (url: URL) => {
        visited.push(url);
        return (await consentInBrowser(url.href, { comesBack: false })).searchParams;
      },
    };
    const { upstream } = open({}, { authorizer });
    await expect(upstream.call(whoami, {})).rejects.toMatchObject({ code: 'login_required' });
    expect(visited).toHaveLength(2);
    expect(mcp.authorizations.length).toBeLessThan(8);
    expect(as.count('POST /token')).toBeLessThan(8);
  });

  it('ends when nobody comes back in time, and when the user interrupts it', async () => {
    const { open } = await setUp();
    const { upstream } = open();
    const idle = { onAuthorizationUrl: () => {} };
    await expect(upstream.login('vault', { ...idle, timeoutMs: 50 })).rejects.toMatchObject({
      code: 'login_failed',
      message: expect.stringContaining('not finished within'),
    });
    const interrupt = new AbortController();
    const login = upstream.login('vault', { onAuthorizationUrl: () => interrupt.abort(), signal: interrupt.signal });
    await expect(login).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is told when the user declines, and takes no redirect that it did not ask for', async () => {
    const { open, as } = await setUp();
    const { upstream } = open();
    const statuses: number[] = [];
    const decline = async (href: string) => {
      const url = new URL(href);
      const back = url.searchParams.get('redirect_uri') ?? '';
      const state = url.searchParams.get('state') ?? '';
      const visit = async (query: string, init: RequestInit = {}) =>
        statuses.push((await fetch(`${back}${query}`, init)).status);
      await visit('?code=evil&state=guessed');
      await visit('?code=evil');
      await visit(`?code=evil&state=${state}`, { method: 'POST' });
      const iss = encodeURIComponent(as.issuer);
      await visit(`?error=access_denied&error_description=No%20thanks&state=${state}&iss=${iss}`);
    };
    let declined: Promise<void> | undefined;
    const onAuthorizationUrl = (url: string) => {
      declined = decline(url);
    };
    const login = upstream.login('vault', { onAuthorizationUrl });
    await expect(login).rejects.toMatchObject({
      code: 'login_failed',
      message: expect.stringContaining('access_denied: No thanks'),
    });
    await declined;
    expect(statuses).toEqual([400, 400, 404, 200]);
    expect(as.count('POST /token')).toBe(0);
  });

  it('is not for servers that are programs, have a header of the user, or let anybody in', async () => {
    const { mcp } = await setUp();
    const { upstream } = upstreamOf([
      spec('program', { kind: 'stdio', command: 'x', args: [], env: {} }),
      spec('header', { kind: 'http', url: mcp.url, headers: { authorization: 'Bearer mine' } }),
      spec('off', { kind: 'http', url: mcp.url, headers: {}, oauth: false }),
    ]);
    for (const [id, why] of [
      ['program', '"env"'],
      ['header', '"Authorization"'],
      ['off', '"oauth": false'],
    ] as const) {
      await expect(upstream.login(id, browser())).rejects.toMatchObject({
        code: 'login_unsupported',
        message: expect.stringContaining(why),
      });
    }
    await expect(upstream.login('nobody', browser())).rejects.toMatchObject({ code: 'server_unknown' });
    await expect(upstream.call(tool('header', 'whoami'), {})).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(mcp.authorizations.at(-1)).toBe('Bearer mine');
  });
});

describe('logout', () => {
  it('deletes the tokens and has them revoked', async () => {
    const { as, file, open, stored } = await setUp();
    const { upstream } = open();
    await upstream.login('vault', browser());
    const { access_token = '', refresh_token = '' } = stored().now.tokens ?? {};
    await expect(upstream.logout('vault')).resolves.toEqual({ server: 'vault', wasLoggedIn: true, isRevoked: true });
    expect(readFileSync(file, 'utf8')).not.toContain(refresh_token);
    expect(readFileSync(file, 'utf8')).not.toContain(access_token);
    await expect(as.inspect(access_token)).resolves.toBeUndefined();
    await expect(upstream.call(whoami, {})).rejects.toMatchObject({ code: 'login_required' });
    await expect(upstream.logout('vault')).resolves.toMatchObject({ wasLoggedIn: false });
  });

  it('deletes them also when the authorization server is away', async () => {
    const { as, file, open } = await setUp();
    const { upstream } = open();
    await upstream.login('vault', browser());
    as.fail('/token/revocation', 503);
    await expect(upstream.logout('vault')).resolves.toMatchObject({ wasLoggedIn: true, isRevoked: false });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ servers: {} });
  });
});
