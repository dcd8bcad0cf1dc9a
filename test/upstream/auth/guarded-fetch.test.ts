import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLoopbackHost, isSpecialAddress } from '../../../src/upstream/auth/address-rules.ts';
import { type GuardOptions, guardedFetch } from '../../../src/upstream/auth/guarded-fetch.ts';

async function listening(
  answer: (path: string) => { status: number; headers?: Record<string, string>; body?: string },
) {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    const { status, headers = {}, body = '' } = answer(request.url ?? '');
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { visits, port: (server.address() as AddressInfo).port };
}

/** Resolves names to these addresses. */
function resolvesTo(...addresses: string[]): NonNullable<GuardOptions['lookup']> {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return ((_name: string, _options: unknown, callback: (error: null, found: unknown) => void) =>
    callback(null, found)) as unknown as NonNullable<GuardOptions['lookup']>;
}

const publicServer = { serverId: 's', serverUrl: 'https://mcp.example/mcp' };
const loopbackServer = { serverId: 's', serverUrl: 'http://localhost:1/mcp' };
const refused = { cause: expect.objectContaining({ code: 'login_refused' }) };

describe('guardedFetch', () => {
  it('does not connect where a public name resolves to a private address, be it one of several', async () => {
    const server = await listening(() => ({ status: 200 }));
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.215.14', '127.0.0.1'],
      ['10.0.0.1'],
      ['169.254.169.254'],
      ['::1'],
    ]) {
      const fetch = guardedFetch({ ...publicServer, lookup: resolvesTo(...addresses) });
      await expect(fetch(`https://as.example:${server.port}/x`)).rejects.toMatchObject(refused);
    }
    expect(server.visits).toEqual([]);
  });

  it('does not let a public server send us to this machine, by name or address', async () => {
    const server = await listening(() => ({ status: 200 }));
    const fetch = guardedFetch(publicServer);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '2130706433', '127.1']) {
      await expect(fetch(`http://${host}:${server.port}/x`)).rejects.toMatchObject(refused);
    }
    expect(server.visits).toEqual([]);
  });

  it('reaches loopback for a server on loopback, but no other private network', async () => {
    const server = await listening(() => ({ status: 200, body: 'here' }));
    const fetch = guardedFetch(loopbackServer);
    await expect((await fetch(`http://127.0.0.1:${server.port}/x`)).text()).resolves.toBe('here');
    await expect(fetch('https://10.0.0.1/x')).rejects.toMatchObject(refused);
    await expect(fetch(`http://user:pw@127.0.0.1:${server.port}/x`)).rejects.toMatchObject(refused);
  });

  it('reaches the own host of a private server, and hosts that the user allowed', async () => {
    const lookup = resolvesTo('127.0.0.1');
    const server = await listening(() => ({ status: 200 }));
    const own = { serverId: 's', serverUrl: 'https://mcp.corp/mcp', lookup };
    // A plain HTTP server: that the connection is made and breaks in the TLS handshake shows that it was allowed.
    const allowed = { cause: expect.objectContaining({ code: expect.stringMatching(/^(EPROTO|ERR_SSL)/) }) };
    await expect(guardedFetch(own)(`https://mcp.corp:${server.port}/x`)).rejects.toMatchObject(allowed);
    await expect(guardedFetch(own)(`https://sso.corp:${server.port}/x`)).rejects.toMatchObject(refused);
    const widened = { ...own, allowedHosts: ['sso.corp'] };
    await expect(guardedFetch(widened)(`https://sso.corp:${server.port}/x`)).rejects.toMatchObject(allowed);
  });

  it('follows no redirect by itself', async () => {
    const target = await listening(() => ({ status: 200 }));
    const location = `http://127.0.0.1:${target.port}/inner`;
    const server = await listening(() => ({ status: 302, headers: { location } }));
    const response = await guardedFetch(loopbackServer)(`http://127.0.0.1:${server.port}/x`);
    expect([response.status, response.headers.get('location')]).toEqual([302, location]);
    expect(target.visits).toEqual([]);
  });

  it('gives up on an answer without end', async () => {
    const server = await listening(() => ({ status: 200, body: 'x'.repeat(2 * 1024 * 1024) }));
    await expect(guardedFetch(loopbackServer)(`http://127.0.0.1:${server.port}/x`)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('bytes') }),
    });
  });
});

describe('address rules', () => {
  it.each([
    '0.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.0.1',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::10.0.0.1',
    '::ffff:192.168.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'fc00::1',
    'fe80::1',
    'ff02::1',
  ])('%s is no public address', (address) => expect(isSpecialAddress(address)).toBe(true));

  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '192.167.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is one',
    (address) => expect(isSpecialAddress(address)).toBe(false),
  );

  it('an IPv4 address is judged alike however it is written in IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isSpecialAddress(`::ffff:${address}`)).toBe(isSpecialAddress(address));
      }),
    );
  });

  it('loopback hosts', () => {
    for (const host of ['localhost', 'a.localhost', '127.9.9.9', '[::1]', 'LOCALHOST'])
      expect(isLoopbackHost(host)).toBe(true);
    for (const host of ['localhost.evil.example', '10.0.0.1', 'notlocalhost']) expect(isLoopbackHost(host)).toBe(false);
  });
});
