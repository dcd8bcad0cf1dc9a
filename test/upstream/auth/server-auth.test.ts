import { beforeAll, describe, expect, it } from 'vitest';
import { MemoryCredentialStore } from '../../../src/upstream/auth/credential-store.ts';
import { ServerAuth } from '../../../src/upstream/auth/server-auth.ts';
import { loadSdk } from '../../../src/upstream/sdk.ts';
import { recordingLogger } from '../harness.ts';

const url = 'https://mcp.example/mcp';
const key = { serverId: 'vault', url };
const issuer = 'https://as.example';

beforeAll(loadSdk);

async function authWith(accessToken?: string) {
  const store = new MemoryCredentialStore();
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/a`,
    token_endpoint: `${issuer}/t`,
    response_types_supported: ['code'],
  };
  if (accessToken !== undefined) {
    const tokens = { access_token: accessToken, token_type: 'Bearer', issuer };
    await store.update(key, () => ({ issuer, issued: { [issuer]: { metadata, tokens } } }));
  }
  const transport = { kind: 'http' as const, url, headers: {} };
  const auth = new ServerAuth({ serverId: 'vault', transport, store, logger: recordingLogger() });
  return { auth, store };
}

/** Answers with these statuses in turn, the last one for ever, and notes what it was sent. */
function answering(...statuses: number[]) {
  const sent: (string | null)[] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    sent.push(new Headers(init?.headers).get('authorization'));
    const status = statuses[Math.min(sent.length, statuses.length) - 1] ?? 200;
    const headers = status === 401 ? { 'www-authenticate': 'Bearer scope="a"' } : {};
    return new Response('', { status, headers });
  };
  return { fetch: fetch as typeof globalThis.fetch, sent };
}

describe('ServerAuth', () => {
  it('sends the token it has in place of any other, and none where it has none', async () => {
    const { fetch, sent } = answering(200);
    const headers = { authorization: 'Bearer of-somebody-else', 'x-other': '1' };
    await (await authWith('secret-token')).auth.wrap(fetch)(url, { headers });
    await (await authWith()).auth.wrap(fetch)(url);
    expect(sent).toEqual(['Bearer secret-token', null]);
  });

  it('hides tokens that a server repeats', async () => {
    const { auth } = await authWith('secret-token');
    await auth.wrap(answering(200).fetch)(url);
    expect(auth.hideTokens('token secret-token is bad')).toBe('token *** is bad');
  });

  it('notes what the server asks for, and forgets it when it lets us in', async () => {
    const { auth, store } = await authWith();
    const { fetch, sent } = answering(401, 200);
    expect((await auth.wrap(fetch)(url)).status).toBe(401);
    expect(sent).toHaveLength(1);
    expect(auth.problem).toMatchObject({ code: 'login_required' });
    expect(store.read(key)?.challenge).toEqual({ scope: 'a' });
    expect((await auth.wrap(fetch)(url)).status).toBe(200);
    expect(auth.problem).toBeUndefined();
    expect(store.read(key)?.challenge).toBeUndefined();
  });

  it('takes a refusal that is no matter of scopes as it is', async () => {
    const { auth } = await authWith('secret-token');
    expect((await auth.wrap(answering(403).fetch)(url)).status).toBe(403);
    expect(auth.problem).toBeUndefined();
  });

  it('sends a request again with the token that another process has got in the meantime', async () => {
    const { auth, store } = await authWith('old-token');
    const sent: (string | null)[] = [];
    const fetch = async (_url: unknown, init?: RequestInit) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      if (sent.length > 1) return new Response('');
      await store.update(key, (now) => JSON.parse(JSON.stringify(now).replace('old-token', 'new-token')));
      return new Response('', { status: 401 });
    };
    expect((await auth.wrap(fetch as typeof globalThis.fetch)(url)).status).toBe(200);
    expect(sent).toEqual(['Bearer old-token', 'Bearer new-token']);
  });
});
