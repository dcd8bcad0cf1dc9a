import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { consentInBrowser } from '../../fixtures/servers/authorization-server.ts';
import { browser, setUp, whoami } from './set-up.ts';

/** A server that nobody should be sent to; counts who comes. */
async function innerServer() {
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.end('{}');
  });
  const visits: string[] = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { visits, port: (server.address() as AddressInfo).port };
}

describe('a login is refused', () => {
  it('when the authorization server calls itself something else than the server does', async () => {
    const { as, open } = await setUp({ as: { metadata: { issuer: 'https://elsewhere.example' } } });
    await expect(open().upstream.login('vault', browser())).rejects.toMatchObject({
      code: 'login_refused',
      message: expect.stringContaining('https://elsewhere.example'),
    });
    expect(as.count('POST /reg')).toBe(0);
  });

  it.each([undefined, [], ['plain']])('when its metadata promises no PKCE with S256, but %j', async (methods) => {
    const { as, open } = await setUp({ as: { metadata: { code_challenge_methods_supported: methods } } });
    const user = browser();
    await expect(open().upstream.login('vault', user)).rejects.toMatchObject({
      code: 'login_refused',
      message: expect.stringContaining('S256'),
    });
    expect(user.visited).toEqual([]);
    expect(as.count('POST /reg')).toBe(0);
  });

  it('when the server names another authorization server than the user accepts', async () => {
    const { as, open } = await setUp();
    const { upstream } = open({ oauth: { issuer: 'https://accepted.example' } });
    await expect(upstream.login('vault', browser())).rejects.toMatchObject({
      code: 'login_refused',
      message: expect.stringContaining(as.issuer),
    });
    expect(as.count('POST /reg')).toBe(0);
  });

  it('when the redirect comes from another issuer, whatever else it says', async () => {
    for (const query of ['code=evil', 'error=access_denied&error_description=Call+0900']) {
      const { as, open } = await setUp();
      const onAuthorizationUrl = (href: string) => {
        const asked = new URL(href).searchParams;
        const iss = encodeURIComponent('https://evil.example');
        void fetch(`${asked.get('redirect_uri')}?${query}&state=${asked.get('state')}&iss=${iss}`);
      };
      const refusal = await open()
        .upstream.login('vault', { onAuthorizationUrl })
        .catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        code: 'login_refused',
        message: expect.stringContaining('https://evil.example'),
      });
      expect(String(refusal)).not.toContain('0900');
      expect(as.count('POST /token')).toBe(0);
    }
  });

  it('when the redirect leaves out the issuer that the metadata promises', async () => {
    const { as, open } = await setUp();
    const onAuthorizationUrl = async (href: string) => {
      const asked = new URL(href).searchParams;
      const back = await consentInBrowser(href, { comesBack: false });
      await fetch(`${asked.get('redirect_uri')}?code=${back.searchParams.get('code')}&state=${asked.get('state')}`);
    };
    const login = open().upstream.login('vault', { onAuthorizationUrl: (url) => void onAuthorizationUrl(url) });
    await expect(login).rejects.toMatchObject({ code: 'login_refused' });
    expect(as.count('POST /token')).toBe(0);
  });

  it('when the server itself is reached unencrypted, and not on this machine', async () => {
    const { open } = await setUp();
    await expect(open({ url: 'http://mcp.example/mcp' }).upstream.login('vault', browser())).rejects.toMatchObject({
      code: 'login_refused',
      message: expect.stringContaining('http://mcp.example'),
    });
  });

  it('when the metadata of the server is for another resource', async () => {
    const { as, open } = await setUp({ mcp: { metadata: { resource: 'https://other.example/mcp' } } });
    await expect(open().upstream.login('vault', browser())).rejects.toMatchObject({ code: 'login_failed' });
    expect(as.count('POST /reg')).toBe(0);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/.well-known/oauth-protected-resource',
    'https://[fd00::1]/x',
    'https://[::ffff:10.1.2.3]/x',
    'http://metadata.google.internal/x',
    'file:///etc/passwd',
  ])('when the challenge leads to %s', async (resourceMetadataUrl) => {
    const { open } = await setUp({ mcp: { resourceMetadataUrl } });
    const login = open().upstream.login('vault', browser());
    await expect(login).rejects.toMatchObject({ code: 'login_refused' });
  });

  it.each(['https://10.9.8.7', 'https://192.168.1.1', 'http://as.example'])(
    'when the authorization server is %s',
    async (issuer) => {
      const { open } = await setUp({ mcp: { authorizationServers: [issuer] } });
      await expect(open().upstream.login('vault', browser())).rejects.toMatchObject({ code: 'login_refused' });
    },
  );

  it.each(['registration_endpoint', 'token_endpoint', 'authorization_endpoint'])(
    'when the metadata has a private %s',
    async (endpoint) => {
      const { as, open } = await setUp({ as: { metadata: { [endpoint]: 'https://172.16.0.9/x' } } });
      const login = open().upstream.login('vault', browser());
      await expect(login).rejects.toMatchObject({ code: 'login_refused' });
      expect(as.count('POST /token')).toBe(0);
    },
  );

  it('when the authorization endpoint is no web address', async () => {
    for (const address of ['javascript:alert(1)', 'vscode://x/y', 'http://login.example/authorize']) {
      const { open } = await setUp({ as: { metadata: { authorization_endpoint: address } } });
      const user = browser();
      const failure = await open()
        .upstream.login('vault', user)
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: expect.stringMatching(/^login_(refused|failed)$/) });
      expect(user.visited).toEqual([]);
    }
  });
});

describe('a refresh', () => {
  it('follows the same rules: it goes to no address that the file names and the rules forbid', async () => {
    const { open, file, as, stored } = await setUp();
    await open().upstream.login('vault', browser());
    const inner = await innerServer();
    await as.revoke(stored().now.tokens?.access_token ?? '');
    const forged = `https://10.0.0.7:${inner.port}/token"`;
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`${as.issuer}/token"`, forged));
    await expect(open().upstream.call(whoami, {})).rejects.toMatchObject({ code: 'login_refused' });
    expect(inner.visits).toEqual([]);
  });
});
