import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultHttpLimits } from '../../src/server/http-limits.ts';
import { LegacySessions } from '../../src/server/legacy-sessions.ts';
import { FakeRouter } from './fake-router.ts';
import { keepingLogger } from './keeping-logger.ts';

const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };

describe('idle sessions', () => {
  const endings: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
  });

  async function start() {
    const clock = { now: 1_000 };
    const face = { router: new FakeRouter(), serverInfo: { name: 't', version: '0' }, logger: keepingLogger() };
    const sessions = new LegacySessions(face, { ...defaultHttpLimits, sessionIdleMs: 500 }, () => clock.now);
    const http = createServer(async (request, response) => {
      if (request.headers['x-leaves'] !== undefined) {
        http.emit('arrived');
        await once(response, 'close');
      }
      await sessions.handle(request, response, request.method === 'POST' ? initialize : undefined).catch(() => {});
      http.emit('handled');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => http.once('listening', resolve));
    endings.push(
      () => sessions.close(),
      () => http.close(),
      () => http.closeAllConnections(),
    );
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const opened = await fetch(url, { method: 'POST', headers });
    await opened.text();
    return { http, sessions, clock, url, headers, id: String(opened.headers.get('mcp-session-id')) };
  }

  it('end when their time is up, not before', async () => {
    const { sessions, clock } = await start();
    clock.now += 499;
    sessions.endIdle();
    expect(sessions.size).toBe(1);
    clock.now += 1;
    sessions.endIdle();
    expect(sessions.size).toBe(0);
  });

  it('end also when their host left before it was answered', async () => {
    const { http, sessions, clock, url, headers, id } = await start();
    for (const own of [{ 'mcp-session-id': id }, {}]) {
      const [arrived, handled] = [once(http, 'arrived'), once(http, 'handled')];
      const leaving = httpRequest(url, { method: 'POST', headers: { ...headers, ...own, 'x-leaves': '' } });
      leaving.on('error', () => {}).end();
      await arrived;
      leaving.destroy();
      await handled;
    }
    clock.now += 500;
    sessions.endIdle();
    expect(sessions.size).toBe(0);
  });

  it('do not end while their stream of notices is open', async () => {
    const { sessions, clock, url, id } = await start();
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    const stream = await fetch(url, { headers });
    clock.now += 10_000;
    sessions.endIdle();
    expect(sessions.size).toBe(1);
    await stream.body?.cancel();
    await expect
      .poll(() => {
        clock.now += 10_000;
        sessions.endIdle();
        return sessions.size;
      })
      .toBe(0);
  });
});
