import { describe, expect, it } from 'vitest';
import { ingestFingerprint, openCatalog } from '../../src/catalog/index.ts';
import { ToolcribError } from '../../src/errors/index.ts';
import type { CallRecord, CallToolResult, HostCallOptions, OperationStore } from '../../src/model/index.ts';
import { createCallLimits, defaultCallLimits } from '../../src/policy/index.ts';
import { createRouter } from '../../src/router/index.ts';
import { createToolAnalyzer } from '../../src/search/index.ts';
import { discovery, EchoCaller, KeepingLogger, servers } from './harness.ts';

/** A process: a router of its own over a catalog that others share. */
function startProcess(
  owner: string,
  catalog = openFilled(),
  more: { store?: OperationStore; living?: Set<string> } = {},
) {
  const caller = new EchoCaller();
  const records: CallRecord[] = [];
  const { living } = more;
  const router = createRouter({
    catalog,
    approvals: catalog.callApprovals,
    searcher: { search: () => expect.unreachable() },
    caller,
    resources: caller,
    serverStates: () => [],
    modeSettings: discovery,
    logger: new KeepingLogger(),
    limits: createCallLimits(defaultCallLimits),
    operations: { store: more.store ?? catalog.operations, owner, mayLive: (other) => living?.has(other) ?? true },
    audit: { record: (entry) => entry.kind === 'call' && records.push(entry) },
  });
  const call = async (
    key: unknown,
    args: object = { title: 'x' },
    options: HostCallOptions = {},
    name = 'github__create_issue',
  ) => {
    const given = name === 'github__create_issue' ? { owner: 'o', repo: 'r', ...args } : args;
    return (await router.callTool(
      'call_tool',
      { name, arguments: given },
      { meta: { 'dev.toolcrib/idempotencyKey': key as string }, ...options },
    )) as CallToolResult;
  };
  return { catalog, caller, router, records, call };
}

function openFilled() {
  const catalog = openCatalog({ path: ':memory:', analyzer: createToolAnalyzer() });
  for (const [id, tools] of Object.entries(servers)) {
    catalog.ingest(id, tools, { fingerprint: ingestFingerprint, listedAt: Date.now(), trigger: 'ingest' });
  }
  return catalog;
}

const errorOf = ({ _meta }: CallToolResult) => _meta?.['dev.toolcrib/error'] as Record<string, unknown> | undefined;
const textOf = ({ content }: CallToolResult) => String(content[0]?.text);

describe('a call with an idempotency key', () => {
  it('runs once: the same again gets the same result, in another process as well', async () => {
    const { call, caller, catalog, records } = startProcess('a');
    const first = await call('k');
    const again = await call('k');
    expect(again).toEqual({ ...first, _meta: { ...first._meta, 'dev.toolcrib/replayed': true } });
    const other = startProcess('b', catalog);
    expect(textOf(await other.call('k'))).toBe(textOf(first));
    expect([caller.calls.length, other.caller.calls.length]).toEqual([1, 0]);
    expect(records.map(({ operationId, rule, outcome }) => [operationId, rule, outcome])).toEqual([
      ['k', 'default', 'ok'],
      ['k', 'idempotency key', 'ok'],
    ]);
  });

  it('keeps the result of a tool that says it failed: it ran', async () => {
    const { call, caller } = startProcess('a');
    caller.answer = () => ({ content: [{ type: 'text', text: 'no such repo' }], isError: true });
    await call('k');
    expect(await call('k')).toMatchObject({ isError: true, content: [{ text: 'no such repo' }] });
    expect(caller.calls).toHaveLength(1);
  });

  it('is another call with other arguments, another tool, and of another caller', async () => {
    const { call, caller } = startProcess('a');
    await call('k');
    expect(errorOf(await call('k', { title: 'y' }))).toEqual({ code: 'idempotency_conflict', mayHaveRun: false });
    expect(errorOf(await call('k', {}, {}, 'linear__listTeams'))?.code).toBe('idempotency_conflict');
    expect(errorOf(await call('k', { title: 'y' }, { principal: 'client:bob' }))).toBeUndefined();
    expect(caller.calls).toHaveLength(2);
  });

  it('is in progress while it runs, wherever it is asked for', async () => {
    const catalog = openFilled();
    const [one, two] = [startProcess('a', catalog), startProcess('b', catalog)];
    let finish = () => {};
    one.caller.call = () =>
      new Promise((resolve) => {
        finish = () => resolve({ content: [{ type: 'text', text: 'made' }] });
      });
    const running = one.call('k');
    await expect.poll(() => catalog.operations.find({ caller: 'local', key: 'k' })?.state).toBe('running');
    for (const process of [one, two]) {
      const early = await process.call('k');
      expect(errorOf(early)).toEqual({ code: 'operation_in_progress' });
      expect(textOf(early)).toMatch(/still running\. Wait, then ask with the same key/);
    }
    finish();
    await running;
    expect(textOf(await two.call('k'))).toBe('made');
    expect(two.caller.calls).toEqual([]);
  });

  it('of a process that died is neither run again nor called done', async () => {
    const catalog = openFilled();
    const dead = startProcess('dead', catalog);
    dead.caller.call = () => new Promise(() => {});
    void dead.call('k');
    await expect.poll(() => catalog.operations.find({ caller: 'local', key: 'k' })?.state).toBe('running');
    const next = startProcess('next', catalog, { living: new Set() });
    const answer = await next.call('k');
    expect(errorOf(answer)).toEqual({ code: 'upstream_timeout_unknown_outcome', server: 'github', mayHaveRun: true });
    expect(textOf(answer)).toMatch(/"k" was sent to server "github" at 20.*No answer came before toolcrib ended/);
    expect(textOf(answer)).toMatch(/not known whether the call took effect\. Find out by a tool that only reads/);
    expect(textOf(answer)).not.toMatch(/call again|try again|retry/i);
    expect(next.caller.calls).toEqual([]);
  });

  it('is free again when it certainly did not run', async () => {
    const { call, caller } = startProcess('a');
    caller.call = async () => {
      throw new ToolcribError('upstream_unavailable', 'Server "github" is away.', { details: { mayHaveRun: false } });
    };
    expect(errorOf(await call('k'))?.code).toBe('upstream_unavailable');
    caller.call = async () => ({ content: [{ type: 'text', text: 'made' }] });
    expect(textOf(await call('k'))).toBe('made');
  });

  it('is free again as well where answers came with it before it had begun', async () => {
    const { call, caller } = startProcess('a');
    caller.call = async () => {
      throw new ToolcribError('upstream_unavailable', 'Server "github" is away.', { details: { mayHaveRun: false } });
    };
    await call('k', { title: 'x' }, { inputResponses: {} });
    caller.call = async () => ({ content: [{ type: 'text', text: 'made' }] });
    expect(textOf(await call('k'))).toBe('made');
  });

  it('keeps an unknown outcome, and does not send the call again', async () => {
    const { call, caller } = startProcess('a');
    let calls = 0;
    caller.call = async () => {
      calls += 1;
      throw new ToolcribError('upstream_lost', 'Server "github" ended.', { details: { mayHaveRun: true } });
    };
    await call('k');
    const again = await call('k');
    expect(errorOf(again)).toMatchObject({ code: 'upstream_timeout_unknown_outcome', mayHaveRun: true });
    expect(textOf(again)).toContain('Server "github" ended. It is not sent again.');
    expect(calls).toBe(1);
  });

  it('says of a result that was too large to keep that the call ran', async () => {
    const { call, caller } = startProcess('a');
    caller.answer = () => ({ content: [{ type: 'text', text: 'x'.repeat(2_000_000) }] });
    await call('k');
    expect(errorOf(await call('k'))).toMatchObject({ code: 'result_too_large', mayHaveRun: true });
    expect(caller.calls).toHaveLength(1);
  });

  it('goes on after questions of the server, with the answers alone', async () => {
    const { call, caller } = startProcess('a');
    const asking = { takesInputRequired: true, elicitation: { form: true } };
    caller.answer = (_, __, options) =>
      options?.resume === undefined
        ? {
            inputRequests: { q: { method: 'elicitation/create', params: { message: 'Sure?' } } },
            resume: { kind: 'server', requestState: 's' },
          }
        : { content: [{ type: 'text', text: 'made' }] };
    const asked = (await call('k', { title: 'x' }, asking)) as unknown as { requestState: string };
    expect(asked).toMatchObject({ resultType: 'input_required' });
    expect(errorOf(await call('k'))?.code).toBe('operation_in_progress');
    const forged = { ...asking, requestState: 'tc1.forged', inputResponses: {} };
    await expect(call('k', { title: 'x' }, forged)).rejects.toMatchObject({ code: 'input_state_invalid' });
    expect(errorOf(await call('k'))?.code).toBe('operation_in_progress');
    const answers = { requestState: asked.requestState, inputResponses: { q: { action: 'accept' } } };
    expect(textOf(await call('k', { title: 'x' }, { ...asking, ...answers }))).toBe('made');
    expect(textOf(await call('k'))).toBe('made');
    expect(caller.calls).toHaveLength(2);
  });

  it.each(['', 5, 'x'.repeat(201)])('is refused with a key that is none: %.5s', async (key) => {
    const { call, caller } = startProcess('a');
    expect(errorOf(await call(key))).toMatchObject({ code: 'invalid_arguments', mayHaveRun: false });
    expect(caller.calls).toEqual([]);
  });

  it('is not run where that cannot be noted', async () => {
    const catalog = openFilled();
    const store = Object.create(catalog.operations, {
      start: {
        value: () => {
          throw new Error('disk /var/x is full');
        },
      },
    }) as OperationStore;
    const { call, caller } = startProcess('a', catalog, { store });
    const refused = await call('k');
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('was not run: toolcrib could not look up or note');
    expect(textOf(refused)).not.toContain('/var/x');
    expect(caller.calls).toEqual([]);
  });

  it('leaves calls without a key alone', async () => {
    const { call, caller } = startProcess('a');
    await call(undefined);
    await call(undefined);
    expect(caller.calls).toHaveLength(2);
  });
});
