import { afterEach, describe, expect, it, vi } from 'vitest';
import { createToolcrib } from '../../src/index.ts';
import type { CallToolResult, NewToken } from '../../src/model/index.ts';
import { generations, type HostOptions, textOf } from '../fixtures/hosts/index.ts';
import { rawServer, readRecord, Workspace } from './program.ts';

/** Each test starts several processes; on a busy machine that takes its time. */
vi.setConfig({ testTimeout: 180_000 });

const workspaces: Workspace[] = [];
afterEach(async () => {
  for (const workspace of workspaces.splice(0)) await workspace.remove();
});

async function served(config: object = {}) {
  const workspace = await Workspace.create({});
  workspaces.push(workspace);
  const record = workspace.path('record.jsonl');
  await workspace.writeConfig({
    mode: 'discovery',
    embedding: 'none',
    mcpServers: { raw: rawServer({ record }) },
    ...config,
  });
  await workspace.json('sync');
  const create = (name: string, ...scopes: string[]) =>
    workspace.json<NewToken>('token', 'create', name, '--scope', ...(scopes.length === 0 ? ['*'] : scopes));
  return { workspace, record, create };
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const errorOf = ({ _meta }: CallToolResult) => _meta?.['dev.toolcrib/error'] as Record<string, unknown> | undefined;
const waitOptions = { timeout: 60_000, interval: 50 };

describe.each(generations)('callers over HTTP (%s)', (generation) => {
  it('get in with a token alone, and out when it is revoked, also where something is open', async () => {
    const { workspace, record, create } = await served();
    const ci = await create('ci');
    const { url } = await workspace.serveHttp();
    const connect = (secret?: string, options?: HostOptions) =>
      workspace.connect(generation, { kind: 'http', url, ...(secret && { headers: bearer(secret) }) }, options);
    await expect(connect()).rejects.toThrow();
    await expect(connect(`${ci.secret}x`)).rejects.toThrow();
    const host = await connect(ci.secret);
    expect(textOf(await host.call('call_tool', { name: 'raw__echo', arguments: { text: 'hi' } }))).toContain('hi');
    const hanging = host.call('call_tool', { name: 'raw__hang', arguments: {} }).catch(() => 'ended');
    const hangs = async () =>
      (await readRecord(record)).filter(({ params }) => (params as { name?: string } | undefined)?.name === 'hang')
        .length;
    await expect.poll(hangs, waitOptions).toBe(1);
    await workspace.cli('token', 'revoke', 'ci');
    const cancels = async () =>
      (await readRecord(record)).filter(({ method }) => method === 'notifications/cancelled').length;
    await expect.poll(cancels, waitOptions).toBe(1);
    await expect(host.call('search_tools', { query: 'echo' })).rejects.toThrow();
    // Hosts of older revisions wait on for an answer that their stream does not bring any more.
    if (generation === 'v2 modern') expect(await hanging).toBe('ended');
  });
});

describe.each(generations)('a caller with a scope (%s)', (generation) => {
  const call = { name: 'other__echo', arguments: { text: 'x' } };
  const twoServers = { mcpServers: { raw: rawServer(), other: rawServer() } };

  async function connect(config: object = {}) {
    const { workspace, create } = await served({ ...twoServers, ...config });
    const { secret } = await create('ci', 'raw:ec*');
    const { url } = await workspace.serveHttp();
    return { workspace, host: await workspace.connect(generation, { kind: 'http', url, headers: bearer(secret) }) };
  }

  it('sees and calls what is in it, as if there were nothing else', async () => {
    const { host, workspace } = await connect();
    const found = textOf(await host.call('search_tools', { query: 'echo', limit: 20 }));
    expect(found).toContain('raw__echo');
    expect(found).not.toMatch(/other|raw__(?!echo)/);
    expect(textOf(await host.call('call_tool', { name: 'echo', arguments: { text: 'hello' } }))).toContain('hello');
    const refused = await host.call('call_tool', call);
    const unknown = await host.call('call_tool', { ...call, name: 'ohter__echo' });
    expect(errorOf(refused)).toEqual({ code: 'unknown_tool' });
    expect(textOf(unknown).replaceAll('ohter', 'other')).toBe(textOf(refused));
    const tests = [
      ['echo', 'ci', 'allow'],
      ['pid', 'ci', 'deny'],
    ].map(async ([tool, caller, action]) =>
      expect(await workspace.json('policy', 'test', `raw__${tool}`, '--caller', String(caller))).toMatchObject({
        action,
        caller: 'client:ci',
      }),
    );
    await Promise.all(tests);
  });

  it('has in direct mode a list of its own', async () => {
    const { host } = await connect({ mode: 'direct' });
    expect((await host.listTools()).map(({ name }) => name)).toEqual(['raw__echo', 'toolcrib__read_result']);
    await expect(host.call('other__echo', { text: 'x' })).rejects.toThrow(/lists: raw__echo, toolcrib__read_result\./);
  });

  it('is told which scope is missing where the config wants that', async () => {
    const { host, workspace } = await connect({ http: { outOfScope: 'challenge' } });
    await expect(host.call('call_tool', call)).rejects.toThrow(
      /lacks a scope|insufficient scope: required "other:echo"/i,
    );
    const failed = () => workspace.json('log', '--failed');
    await expect
      .poll(failed, waitOptions)
      .toMatchObject([{ caller: 'client:ci', tool: 'echo', outcome: 'not_authorized' }]);
    expect(textOf(await host.call('search_tools', { query: 'echo' }))).not.toContain('other');
  });
});

describe('what belongs to one caller', () => {
  it('is no other caller’s: cut results, questions and approvals', async () => {
    const policy = [{ action: 'ask', tool: 'echo' }, { action: 'allow' }];
    const { workspace, create } = await served({ policy, limits: { resultMaxTokens: 200 } });
    const [ann, bob] = [await create('ann'), await create('bob')];
    const { url } = await workspace.serveHttp();
    const hosts = [ann, bob].map(({ secret }) =>
      workspace.connect('v2 modern', { kind: 'http', url, headers: bearer(secret) }),
    );
    const [annsHost, bobsHost] = await Promise.all(hosts);
    const raw = { content: [{ type: 'text', text: 'word '.repeat(2_000) }] };
    const cut = JSON.stringify(await annsHost?.call('call_tool', { name: 'raw__result', arguments: { raw } }));
    const handle = /r_[\w-]{22}/.exec(cut)?.[0];
    expect(handle).toBeDefined();
    const readAs = async (host: typeof annsHost) =>
      textOf((await host?.call('call_tool', { name: 'toolcrib__read_result', arguments: { handle } })) as never);
    expect(await readAs(bobsHost)).toContain('handle_expired');
    expect(await readAs(annsHost)).toContain('word');
    const echo = { name: 'raw__echo', arguments: { text: 'x' } };
    const asked = errorOf((await annsHost?.call('call_tool', echo)) as never);
    expect(asked?.code).toBe('approval_required');
    const crib = createToolcrib({ configPath: workspace.configPath, catalog: workspace.catalogPath });
    crib.grantCall(String(asked?.approvalId));
    await crib.close();
    expect(errorOf((await bobsHost?.call('call_tool', echo)) as never)?.code).toBe('approval_required');
    expect(textOf((await annsHost?.call('call_tool', echo)) as never)).toContain('x');
  });
});

describe.each(generations)('bounds over HTTP (%s)', (generation) => {
  it('say how long to wait, to the caller who went over them alone', async () => {
    const { workspace, create } = await served({ rateLimits: { caller: { perMinute: 2 } } });
    const [ann, bob] = [await create('ann'), await create('bob')];
    const { url } = await workspace.serveHttp();
    const connect = ({ secret }: NewToken) =>
      workspace.connect(generation, { kind: 'http', url, headers: bearer(secret) });
    const [annsHost, bobsHost] = [await connect(ann), await connect(bob)];
    const echo = { name: 'raw__echo', arguments: { text: 'x' } };
    for (let calls = 0; calls < 2; calls += 1) expect(errorOf(await annsHost.call('call_tool', echo))).toBeUndefined();
    const refused = await annsHost.call('call_tool', echo);
    expect(errorOf(refused)).toEqual({
      code: 'rate_limited',
      retryAfterMs: expect.any(Number),
      mayHaveRun: false,
    });
    expect(textOf(refused)).toMatch(/^rate_limited: .* Wait \d+ seconds?, then call again\.$/);
    expect(errorOf(await bobsHost.call('call_tool', echo))).toBeUndefined();
  });

  it('keep a keyed call from running twice, also when toolcrib is killed under it', async () => {
    const { workspace, record } = await served();
    const key = { meta: { 'dev.toolcrib/idempotencyKey': 'order-17' } };
    const received = async (tool: string) =>
      (await readRecord(record)).filter(({ params }) => (params as { name?: string } | undefined)?.name === tool)
        .length;
    const first = await workspace.serveHttp();
    // Of one name, so that both processes have the same caller, as with a token.
    const { secret } = await workspace.json<NewToken>('token', 'create', 'shop', '--scope', '*');
    const connect = (url: string) => workspace.connect(generation, { kind: 'http', url, headers: bearer(secret) });
    const host = await connect(first.url);
    const echo = { name: 'raw__echo', arguments: { text: 'once' } };
    const hang = { name: 'raw__hang', arguments: {} };
    expect(
      textOf(await host.call('call_tool', echo, { meta: { 'dev.toolcrib/idempotencyKey': 'order-16' } })),
    ).toContain('once');
    host.call('call_tool', hang, key).catch(() => undefined);
    await expect.poll(() => received('hang'), waitOptions).toBe(1);
    process.kill(first.pid, 'SIGKILL');
    const next = await connect((await workspace.serveHttp()).url);
    const unknown = await next.call('call_tool', hang, key);
    expect(errorOf(unknown)).toMatchObject({ code: 'upstream_timeout_unknown_outcome', mayHaveRun: true });
    expect(textOf(unknown)).toContain('"order-17"');
    const replayed = await next.call('call_tool', echo, { meta: { 'dev.toolcrib/idempotencyKey': 'order-16' } });
    expect(textOf(replayed)).toContain('once');
    expect(replayed._meta?.['dev.toolcrib/replayed']).toBe(true);
    const conflict = await next.call('call_tool', { ...echo, arguments: { text: 'twice' } }, key);
    expect(errorOf(conflict)?.code).toBe('idempotency_conflict');
    expect([await received('hang'), await received('echo')]).toEqual([1, 1]);
  });
});

describe('serve --http', () => {
  it('does not listen to other machines before there is a token, and then does', async () => {
    const { workspace, create } = await served();
    const refused = await workspace.cli('serve', '--http', '0', '--host', '0.0.0.0', '--json');
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'address_refused' } });
    const { secret } = await create('ci');
    const child = workspace.serveRaw('--http', '0', '--host', '0.0.0.0');
    const url = await new Promise<string>((resolve) =>
      child.stderr?.on('data', (chunk) => /listening on (\S+)/i.exec(String(chunk))?.[1] && resolve(String(chunk))),
    );
    const port = /:(\d+)\//.exec(url)?.[1];
    const post = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      });
    const without = await post({});
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="toolcrib"']);
    const wrong = await post(bearer('tcr_x'));
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="toolcrib", error="invalid_token", error_description="The token is not valid"',
    ]);
    expect((await post({ ...bearer(secret), origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(bearer(secret))).status).toBe(400);
  });

  it('keeps a secret out of everything but the one answer', async () => {
    const { workspace, create } = await served();
    const { secret } = await create('ci');
    const { stdout } = await workspace.cli('token', 'list', '--json');
    expect(stdout).not.toContain(secret.slice(21));
    const { readFile } = await import('node:fs/promises');
    for (const end of ['', '-wal']) {
      const file = await readFile(workspace.catalogPath + end, 'latin1').catch(() => '');
      expect(file).not.toContain(secret.slice(21));
    }
  });
});
