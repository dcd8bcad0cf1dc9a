import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedConsole, startConsole } from './fixture.ts';

let started: StartedConsole;
beforeAll(async () => {
  started = await startConsole();
});
afterAll(() => started.close());

interface Sent {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Not by `fetch`, which keeps some headers to itself. */
function send({
  path = '/console/api/overview',
  method = 'GET',
  headers = {},
}: Sent): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const { port } = new URL(started.origin);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('who gets in', () => {
  it('nobody without a login: neither page, nor script, nor API, nor stream', async () => {
    for (const path of ['/console/', '/console/assets/page.js', '/console/api/overview', '/console/api/live']) {
      const { status, text } = await send({ path });
      expect([path, status]).toEqual([path, 401]);
      expect(text).toContain('toolcrib console');
      expect(text).not.toContain('shop');
    }
  });

  it('a link once, in exchange for a cookie that no script and no other site gets', async () => {
    const link = String(started.links.at(-1));
    const first = await fetch(link);
    expect(first.status).toBe(200);
    expect(first.headers.get('set-cookie')).toMatch(
      /^toolcrib_console_\d+=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/,
    );
    expect(await first.text()).not.toContain(new URL(link).searchParams.get('token'));
    expect((await fetch(link)).status).toBe(403);
    const next = String(started.links.at(-1));
    expect(next).not.toBe(link);
    expect((await fetch(next, { method: 'HEAD' })).status).toBe(401);
    expect((await fetch(next)).status).toBe(200);
  });

  it.each(['', 'x', 'toString'])('no link with the token %j', async (token) => {
    expect((await fetch(`${started.origin}/console/login?token=${token}`)).status).toBe(403);
  });

  it('no made-up cookie', async () => {
    const name = `toolcrib_console_${new URL(started.origin).port}`;
    expect((await send({ headers: { cookie: `${name}=` } })).status).toBe(401);
    expect((await send({ headers: { cookie: `${name}=AAAA; other=1` } })).status).toBe(401);
  });
});

describe('what is refused with a login', () => {
  it.each<[string, Sent]>([
    ['a host name of elsewhere', { headers: { host: 'evil.example' } }],
    ['another port', { headers: { host: '127.0.0.1:1' } }],
    ['an origin of elsewhere', { headers: { origin: 'https://evil.example' } }],
    ['an origin on another port of this machine', { headers: { origin: 'http://127.0.0.1:1' } }],
    ['a page without an origin', { headers: { origin: 'null' } }],
    ['a request that a page of the same site makes', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['a request that a page of another site makes', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['a proxy', { headers: { 'x-forwarded-for': '10.0.0.1' } }],
  ])('%s', async (_, sent) => {
    const { cookie } = await started.client();
    const plain = await send({ headers: { cookie } });
    expect(plain.status).toBe(200);
    const { status, text } = await send({ ...sent, headers: { cookie, ...sent.headers } });
    expect(status).toBe(403);
    expect(text).not.toContain('shop');
  });

  it.each<[string, Record<string, string>, number]>([
    ['without our header', { 'x-toolcrib-console': '' }, 403],
    ['from another origin', { origin: 'http://localhost:1' }, 403],
    ['as a form would send it', { 'content-type': 'text/plain' }, 400],
  ])('a change %s', async (_, headers, status) => {
    const client = await started.client();
    const response = await client.post('api/sync', { server: 'shop' }, headers);
    expect(response.status).toBe(status);
  });

  it('a change without an origin, and one by GET', async () => {
    const { cookie } = await started.client();
    const headers = { cookie, 'x-toolcrib-console': '1', 'content-type': 'application/json' };
    expect((await send({ path: '/console/api/sync', method: 'POST', headers })).status).toBe(403);
    expect((await send({ path: '/console/api/sync?server=shop', headers: { cookie } })).status).toBe(404);
  });

  it.each([
    '/console/../package.json',
    '/console/..%2fpackage.json',
    '/console/assets/../../index.html',
    '/console/nothing',
  ])('a file that is not of the page: %s', async (path) => {
    const { cookie } = await started.client();
    expect((await send({ path, headers: { cookie } })).status).toBeGreaterThanOrEqual(404);
  });
});

it('runs and loads nothing but its own script and style, and is framed by nobody', async () => {
  const { cookie } = await started.client();
  for (const path of ['/console/', '/console/assets/page.js', '/console/api/overview']) {
    const { status, headers } = await send({ path, headers: { cookie } });
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
  const { text } = await send({ path: '/console/', headers: { cookie } });
  expect(text).not.toMatch(/<script(?![^>]*\bsrc="\.\/)|<style|\son\w+=|https?:\/\//);
});
