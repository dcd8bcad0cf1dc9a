import { describe, expect, it } from 'vitest';
import type {
  CallPause,
  CallToolResult,
  ElicitationAnswer,
  ElicitationRequest,
  HostCallOptions,
  InputRequest,
  InputRequired,
  JsonObject,
  PolicyRule,
  Router,
} from '../../src/model/index.ts';
import { createCallPolicy } from '../../src/policy/index.ts';
import { direct, discovery, rawTool, setUp, text } from './harness.ts';

const modern: HostCallOptions = { takesInputRequired: true, elicitation: { form: true } };
const accept = (approval: string): ElicitationAnswer => ({ action: 'accept', content: { approval } });
const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] };

function setUpPolicy(rules: readonly PolicyRule[], settings = discovery) {
  const policy = createCallPolicy({ rules, isTrusted: () => false, unmatched: 'allow' });
  const tools = { srv: [rawTool('make', { of: text }), rawTool('look')] };
  const setup = setUp({ tools, settings, policy });
  setup.caller.answer = () => done;
  const router: Router = setup.router;
  const call = (options: HostCallOptions = {}, args: object = { of: 'oak' }, name = 'srv__make') =>
    router.callTool('call_tool', { name, arguments: args }, options);
  return { ...setup, router, call };
}

const ask: PolicyRule[] = [{ action: 'ask', tools: ['make'] }];
const errorOf = (answer: CallToolResult | InputRequired) =>
  (answer as CallToolResult)._meta?.['dev.toolcrib/error'] as JsonObject;
const textOf = (answer: CallToolResult | InputRequired) => String((answer as CallToolResult).content[0]?.text);

describe('a tool that is denied', () => {
  const rules: PolicyRule[] = [{ action: 'deny', tools: ['make'] }];

  it('is not called, in words without a command, whatever the arguments', async () => {
    const { call, caller } = setUpPolicy(rules);
    for (const args of [{ of: 'oak' }, { wrong: 1 }]) {
      const answer = await call({}, args);
      expect(textOf(answer)).toMatch(/^denied: srv__make was not called: rule 1 of the policy says deny\./);
      expect(textOf(answer)).not.toMatch(/toolcrib [a-z]/);
      expect(answer).toMatchObject({ isError: true });
      expect(errorOf(answer)).toEqual({ code: 'denied', mayHaveRun: false });
    }
    expect(caller.calls).toEqual([]);
  });

  it('is not called by its own name in direct mode either', async () => {
    const { router, caller } = setUpPolicy(rules, direct);
    expect(errorOf(await router.callTool('srv__make', { of: 'oak' }))).toMatchObject({ code: 'denied' });
    expect(await router.callTool('srv__look', {})).toEqual(done);
    expect(caller.calls.map(({ tool }) => tool)).toEqual(['look']);
  });

  it('is described with the rule in force', () => {
    const { router } = setUpPolicy([...rules, { action: 'ask', tools: ['look'] }]);
    expect(router.describe('srv__make').approval).toBe('refused: rule 1 of the policy says deny');
    expect(router.describe('srv__make').text).toContain('refused: rule 1');
    expect(router.describe('srv__look').approval).toContain('a person is asked before each call: rule 2');
  });

  it('depends on the caller', async () => {
    const { call, router } = setUpPolicy([{ action: 'deny', callers: ['bob'] }]);
    expect(errorOf(await call({ principal: 'bob' }))).toMatchObject({ code: 'denied' });
    expect(await call({ principal: 'ada' })).toEqual(done);
    const described = await router.callTool('describe_tool', { name: 'srv__make' }, { principal: 'bob' });
    expect(textOf(described)).toContain('refused: rule 1');
  });
});

describe('a host of 2026-07-28 that can show forms', () => {
  const answered = (requestState: string | undefined, answer: unknown): HostCallOptions => ({
    ...modern,
    ...(requestState === undefined ? {} : { requestState }),
    inputResponses: { toolcrib_approval: answer },
  });
  const question = async (call: ReturnType<typeof setUpPolicy>['call'], args?: object) =>
    (await call(modern, args)) as InputRequired;

  it('shows server, tool, effect, caller and the very arguments, and nothing runs before the answer', async () => {
    const { call, caller } = setUpPolicy(ask);
    const { inputRequests = {}, requestState } = await question(call, { of: 'oak\nServer: other \u202e\u200b' });
    const request = inputRequests.toolcrib_approval as InputRequest;
    expect(request.method).toBe('elicitation/create');
    expect(request.params.message.split('\n')).toEqual([
      'toolcrib asks before it runs this call (rule 1 of the policy says ask).',
      'Server: srv',
      'Tool: make',
      'Effect: not known, so it may be destructive',
      'Caller: local',
      'Arguments: {',
      '  "of": "oak\\nServer: other \\u202e\\u200b"',
      '}',
    ]);
    expect(request.params.requestedSchema).toMatchObject({
      properties: { approval: { enum: ['once', 'for 15 minutes', 'no'] } },
    });
    expect(requestState).toMatch(/^tc1\./);
    expect(caller.calls).toEqual([]);
  });

  it('runs the call once for a yes, without the answer going to the server', async () => {
    const { call, caller } = setUpPolicy(ask);
    const { requestState } = await question(call);
    expect(await call(answered(requestState, accept('once')))).toEqual(done);
    expect(caller.calls).toMatchObject([{ tool: 'make', args: { of: 'oak' } }]);
    expect(caller.calls[0]?.options).not.toHaveProperty('resume');
    expect(caller.calls[0]?.options).not.toHaveProperty('inputResponses');
    expect(await call(modern)).toHaveProperty('resultType', 'input_required');
  });

  it('cannot use one answer twice', async () => {
    const { call, caller } = setUpPolicy(ask);
    const { requestState } = await question(call);
    await call(answered(requestState, accept('once')));
    expect(await call(answered(requestState, accept('once')))).toHaveProperty('resultType', 'input_required');
    expect(caller.calls).toHaveLength(1);
  });

  it.each([
    ['other arguments', { of: 'elm' }, {}],
    ['another caller', { of: 'oak' }, { principal: 'bob' }],
    ['a state of its own making', { of: 'oak' }, { requestState: 'tc1.AAAA' }],
  ])('cannot use the answer with %s', async (_, args, more) => {
    const { call, caller } = setUpPolicy(ask);
    const { requestState } = await question(call);
    const refused = call({ ...answered(requestState, accept('once')), ...more }, args);
    await expect(refused).rejects.toMatchObject({ code: 'input_state_invalid' });
    expect(caller.calls).toEqual([]);
  });

  it('gets asked again where an answer comes without the state', async () => {
    const { call, caller } = setUpPolicy(ask);
    expect(await call(answered(undefined, accept('once')))).toHaveProperty('resultType', 'input_required');
    expect(caller.calls).toEqual([]);
  });

  it.each([
    { action: 'decline' },
    { action: 'cancel' },
    accept('no'),
    { action: 'accept' },
    { action: 'accept', content: {} },
    { action: 'decline', content: { approval: 'once' } },
    'yes',
    null,
  ])('is refused for %j', async (answer) => {
    const { call, caller } = setUpPolicy(ask);
    const { requestState } = await question(call);
    const refused = await call(answered(requestState, answer));
    expect(errorOf(refused)).toEqual({ code: 'denied', mayHaveRun: false });
    expect(textOf(refused)).toContain('the user does not allow this call');
    expect(caller.calls).toEqual([]);
  });

  it('may repeat the very same call for a time where the person chose so', async () => {
    const { call, caller } = setUpPolicy(ask);
    const { requestState } = await question(call);
    await call(answered(requestState, accept('for 15 minutes')));
    expect(await call(modern)).toEqual(done);
    expect(await call()).toEqual(done);
    expect(await call({ ...modern, principal: 'bob' })).toHaveProperty('resultType', 'input_required');
    expect(await call(modern, { of: 'elm' })).toHaveProperty('resultType', 'input_required');
    expect(caller.calls).toHaveLength(3);
  });

  it('is not asked a second time when the server has questions of its own', async () => {
    const { call, caller } = setUpPolicy(ask);
    const pause: CallPause = {
      inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?' } } },
      resume: { kind: 'server', requestState: 'theirs' },
    };
    const outcomes = [pause, done];
    caller.answer = () => outcomes.shift() ?? done;
    const { requestState } = await question(call);
    const theirs = (await call(answered(requestState, accept('once')))) as InputRequired;
    expect(Object.keys(theirs.inputRequests ?? {})).toEqual(['who']);
    const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } };
    expect(await call({ ...modern, requestState: theirs.requestState ?? '', inputResponses })).toEqual(done);
    expect(caller.calls.at(-1)?.options).toMatchObject({
      resume: { kind: 'server', requestState: 'theirs' },
      inputResponses,
    });
    expect(await call(modern)).toHaveProperty('inputRequests.toolcrib_approval');
  });

  it('cannot be made to allow a call by a server that asks under our key', async () => {
    const { call, caller } = setUpPolicy(ask);
    const { requestState } = await question(call);
    const pause: CallPause = {
      inputRequests: { toolcrib_approval: { method: 'elicitation/create', params: { message: 'Name?' } } },
      resume: { kind: 'server', requestState: 'theirs' },
    };
    caller.answer = () => pause;
    const theirs = (await call(answered(requestState, accept('once')))) as InputRequired;
    caller.answer = () => done;
    const again = answered(theirs.requestState, accept('for 15 minutes'));
    expect(await call(again)).toEqual(done);
    expect(await call(again)).toHaveProperty('resultType', 'input_required');
    expect(caller.calls).toHaveLength(2);
  });
});

describe('a host that is asked while the call runs', () => {
  const hostThat = (answer: (request: ElicitationRequest) => Promise<ElicitationAnswer>) => {
    const asked: ElicitationRequest[] = [];
    const onElicitation = async (request: ElicitationRequest) => {
      asked.push(request);
      return answer(request);
    };
    return { asked, options: { elicitation: { form: true }, onElicitation } satisfies HostCallOptions };
  };

  it('asks the person on behalf of toolcrib, then runs the call', async () => {
    const { call, caller } = setUpPolicy(ask);
    const { asked, options } = hostThat(async () => accept('once'));
    expect(await call(options)).toEqual(done);
    expect(await call(options)).toEqual(done);
    expect(asked).toMatchObject([{ server: 'toolcrib', tool: 'srv__make' }, { server: 'toolcrib' }]);
    expect(asked[0]?.params.message).toContain('"of": "oak"');
    expect(caller.calls).toHaveLength(2);
  });

  it('is refused for a no', async () => {
    const { call, caller } = setUpPolicy(ask);
    expect(errorOf(await call(hostThat(async () => ({ action: 'decline' })).options))).toMatchObject({
      code: 'denied',
    });
    expect(caller.calls).toEqual([]);
  });

  it('that withdraws while its user is asked, and never answers, gets nothing run', async () => {
    const { call, caller } = setUpPolicy(ask);
    const controller = new AbortController();
    const silent = hostThat(() => {
      controller.abort();
      return new Promise(() => undefined);
    });
    expect(errorOf(await call({ ...silent.options, signal: controller.signal }))).toMatchObject({ code: 'cancelled' });
    expect(caller.calls).toEqual([]);
  });

  it('that fails to ask gets an id, and one that withdraws gets nothing run', async () => {
    const { call, caller } = setUpPolicy(ask);
    const failing = hostThat(async () => {
      throw new Error('no window');
    });
    expect(errorOf(await call(failing.options))).toMatchObject({ code: 'approval_required' });
    const controller = new AbortController();
    const leaving = hostThat(async () => {
      controller.abort();
      throw new Error('gone');
    });
    expect(errorOf(await call({ ...leaving.options, signal: controller.signal }))).toMatchObject({
      code: 'cancelled',
      mayHaveRun: false,
    });
    expect(caller.calls).toEqual([]);
  });

  it('is asked about arguments that fit alone', async () => {
    const { call } = setUpPolicy(ask);
    const { asked, options } = hostThat(async () => accept('once'));
    expect(errorOf(await call(options, { of: 1 }))).toMatchObject({ code: 'invalid_arguments' });
    expect(asked).toEqual([]);
  });
});

describe('a host that cannot ask', () => {
  it.each<HostCallOptions>([
    {},
    { takesInputRequired: true, elicitation: { url: true } },
    { elicitation: {}, onElicitation: async () => accept('once') },
  ])('is given an id, and no command (%j)', async (options) => {
    const { call, caller, catalog } = setUpPolicy(ask);
    const refused = await call(options);
    const { code, approvalId } = errorOf(refused);
    expect(code).toBe('approval_required');
    expect(approvalId).toMatch(/^[\w-]{22}$/);
    expect(textOf(refused)).toContain(`Request id: ${approvalId}.`);
    expect(textOf(refused)).not.toMatch(/toolcrib [a-z]|grant/);
    expect(caller.calls).toEqual([]);
    expect(catalog.callApprovals.waiting()).toMatchObject([
      { id: approvalId, name: 'srv__make', caller: 'local', arguments: { of: 'oak' } },
    ]);
  });

  it('runs the call once when it was granted, and no other one', async () => {
    const { call, caller, catalog } = setUpPolicy(ask);
    const { approvalId } = errorOf(await call());
    expect(errorOf(await call()).approvalId).toBe(approvalId);
    const expiresAt = Date.now() + 60_000;
    expect(catalog.callApprovals.grant(String(approvalId), { isOnce: true, expiresAt })).toMatchObject({
      name: 'srv__make',
    });
    expect(errorOf(await call({}, { of: 'elm' }))).toMatchObject({ code: 'approval_required' });
    expect(errorOf(await call({ principal: 'bob' }))).toMatchObject({ code: 'approval_required' });
    expect(await call()).toEqual(done);
    expect(errorOf(await call()).approvalId).not.toBe(approvalId);
    expect(caller.calls).toHaveLength(1);
  });

  it('gets nothing run, and is told so, where approvals cannot be kept', async () => {
    const { call, caller, catalog, logger } = setUpPolicy(ask);
    catalog.callApprovals.request = () => {
      throw new Error('/secret/path is read-only');
    };
    const refused = await call();
    expect(errorOf(refused)).toEqual({ code: 'upstream_unavailable', reason: 'internal', mayHaveRun: false });
    expect(textOf(refused)).not.toContain('/secret');
    expect(logger.lines).toContain('a call failed inside toolcrib');
    expect(caller.calls).toEqual([]);
  });

  it('needs a new approval when the definition changed in between', async () => {
    const { call, catalog, ingest } = setUpPolicy(ask);
    const { approvalId } = errorOf(await call());
    catalog.callApprovals.grant(String(approvalId), { isOnce: false, expiresAt: Date.now() + 60_000 });
    ingest('srv', [rawTool('make', { of: text, by: text })]);
    expect(errorOf(await call())).toMatchObject({ code: 'approval_required' });
  });
});
