import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../harness.ts';
import { browser, setUp, whoami } from './set-up.ts';

/** A setting in which the MCP server takes no token that it has seen before `expire()`. */
async function setUpExpiring() {
  const seen = new Set<string>();
  const expired = new Set<string>();
  const set = await setUp();
  set.mcp.settings.inspect = async (token) => {
    seen.add(token);
    return expired.has(token) ? undefined : set.as.inspect(token);
  };
  const expire = () => {
    for (const token of seen) expired.add(token);
  };
  return { ...set, expire };
}

describe('refresh', () => {
  it('renews a token that is refused, once for all calls, and keeps the new one', async () => {
    const { as, open, expire, stored } = await setUpExpiring();
    const { upstream } = open();
    await upstream.login('vault', browser());
    const before = stored().now.tokens;
    const tokenRequests = as.count('POST /token');
    expire();
    const calls = Array.from({ length: 8 }, () => upstream.call(whoami, {}));
    expect(await Promise.all(calls)).toHaveLength(8);
    expect(as.count('POST /token')).toBe(tokenRequests + 1);
    const after = stored().now.tokens;
    expect(after?.access_token).not.toBe(before?.access_token);
    expect(after?.refresh_token).not.toBe(before?.refresh_token);
  });

  it('renews a token before it ends, so that no request is refused', async () => {
    const { as, mcp, file, open, stored } = await setUpExpiring();
    await open().upstream.login('vault', browser());
    const before = stored().now.tokens;
    const now = Date.now();
    // An hour that is over but for half a minute.
    const text = readFileSync(file, 'utf8')
      .replace(/"obtainedAt": \d+/, `"obtainedAt": ${now - 3_570_000}`)
      .replace(/"expiresAt": \d+/, `"expiresAt": ${now + 30_000}`);
    writeFileSync(file, text);
    const [tokenRequests, requests] = [as.count('POST /token'), mcp.authorizations.length];
    await open().upstream.call(whoami, {});
    expect(as.count('POST /token')).toBe(tokenRequests + 1);
    const after = stored().now.tokens?.access_token;
    expect(after).not.toBe(before?.access_token);
    expect(new Set(mcp.authorizations.slice(requests))).toEqual(new Set([`Bearer ${after}`]));
  });

  it('lets two processes share a rotating refresh token', async () => {
    const { as, mcp, file, open, expire, stored } = await setUpExpiring();
    await open().upstream.login('vault', browser());
    const callers = [await startCaller(mcp.url, file), await startCaller(mcp.url, file)];
    await Promise.all(callers.map((caller) => caller.call()));
    const tokenRequests = as.count('POST /token');
    const rounds = 10;
    for (let round = 1; round <= rounds; round += 1) {
      expire();
      const outcomes = await Promise.all(callers.map((caller) => caller.call()));
      expect(outcomes).toEqual(['ok', 'ok']);
    }
    // A second use of any refresh token would have ended the login.
    expect(as.count('POST /token')).toBe(tokenRequests + rounds);
    await expect(as.inspect(stored().now.tokens?.access_token ?? '')).resolves.toBeDefined();
  }, 60_000);

  it('needs the user again when the login was revoked, and says so until there is a new one', async () => {
    const { as, open, stored } = await setUp();
    const { upstream } = open();
    await upstream.login('vault', browser());
    await as.revoke(stored().now.tokens?.access_token ?? '');
    await expect(upstream.call(whoami, {})).rejects.toMatchObject({ code: 'login_required' });
    expect(stored().now.tokens).toBeUndefined();
    // Also for a process that has not asked yet.
    expect(open().upstream.states()).toMatchObject([{ state: 'login_required' }]);

    await open().upstream.login('vault', browser());
    await expect(upstream.call(whoami, {})).resolves.toHaveProperty('content');
    expect(open().upstream.states()).toMatchObject([{ state: 'idle' }]);
  });

  it('registers anew when the authorization server has forgotten the client', async () => {
    const { as, open, expire, stored } = await setUpExpiring();
    const { upstream } = open();
    await upstream.login('vault', browser());
    const { client } = stored().now;
    await as.forgetClient(client?.client_id ?? '');
    expire();
    await expect(upstream.call(whoami, {})).rejects.toMatchObject({ code: 'login_required' });
    await upstream.login('vault', browser());
    expect(stored().now.client?.client_id).not.toBe(client?.client_id);
    await expect(upstream.call(whoami, {})).resolves.toHaveProperty('content');
  });

  it('keeps the login while the authorization server is away', async () => {
    const { as, open, expire, stored } = await setUpExpiring();
    const { upstream } = open();
    await upstream.login('vault', browser());
    const { refresh_token } = stored().now.tokens ?? {};
    expire();
    as.fail('/token', 503);
    await expect(upstream.call(whoami, {})).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringContaining('could not be renewed'),
      details: { mayHaveRun: false },
    });
    expect(stored().now.tokens?.refresh_token).toBe(refresh_token);
    as.fail('/token', undefined);
    await expect(upstream.call(whoami, {})).resolves.toHaveProperty('content');
  });

  it('does not ask a server again and again for which a login is needed, and notices when there is one', async () => {
    const { mcp, open } = await setUp();
    const { upstream, catalog } = open();
    await upstream.sync();
    const asked = mcp.authorizations.length;
    const poll = setInterval(() => upstream.refreshInBackground(), 5);
    onTestFinished(() => clearInterval(poll));
    await new Promise((wait) => setTimeout(wait, 300));
    expect(mcp.authorizations).toHaveLength(asked);
    await open().upstream.login('vault', browser());
    await until(() => catalog.row('vault').listedAt !== undefined, 'the list after the login');
  });
});

interface Caller {
  /** Makes one call and gives its outcome. */
  call(): Promise<string>;
}

async function startCaller(url: string, file: string): Promise<Caller> {
  const script = resolve(import.meta.dirname, '../../fixtures/servers/caller.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    call: async () => {
      child.stdin.write('call\n');
      const { value } = await lines.next();
      return String(value);
    },
  };
}
