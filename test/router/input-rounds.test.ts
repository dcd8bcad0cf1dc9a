import { describe, expect, it } from 'vitest';
import type {
  CallPause,
  CallToolResult,
  ElicitationAnswer,
  ElicitationRequest,
  HostCallOptions,
  InputRequest,
  InputRequired,
  Router,
} from '../../src/model/index.ts';
import { rawTool, setUp, text } from './harness.ts';

const form: InputRequest = { method: 'elicitation/create', params: { message: 'Who?\u001b[31m' } };
const pause = (requestState?: string, inputRequests: CallPause['inputRequests'] = { who: form }): CallPause => ({
  inputRequests,
  resume: { kind: 'server', ...(requestState === undefined ? {} : { requestState }) },
});
const parked: CallPause = { inputRequests: { who: form }, resume: { kind: 'parked', handle: 'secret-handle' } };
const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] };
const accept: ElicitationAnswer = { action: 'accept', content: { name: 'Ada' } };
const asHost: HostCallOptions = { takesInputRequired: true, elicitation: { form: true } };

function setUpAsking(...outcomes: (CallPause | CallToolResult)[]) {
  const tools = { srv: [rawTool('make', { of: text }), rawTool('mend')] };
  const setup = setUp({ tools });
  setup.caller.answer = () => outcomes.shift() ?? done;
  const router: Router = setup.router;
  const call = (options: HostCallOptions = {}, args: object = { of: 'oak' }, name = 'srv__make') =>
    router.callTool('call_tool', { name, arguments: args }, options);
  return { ...setup, call };
}

describe('a host that takes questions as the answer to its call', () => {
  it('gets them without control characters, with a state that tells it nothing', async () => {
    const { call } = setUpAsking(pause('their state'));
    const required = (await call(asHost)) as InputRequired;
    expect(required).toEqual({
      resultType: 'input_required',
      inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?' } } },
      requestState: expect.not.stringContaining('state'),
    });
  });

  it('calls again with the answers, and the server gets its state back', async () => {
    const { call, caller } = setUpAsking(pause('their state'));
    const { requestState = '' } = (await call(asHost)) as InputRequired;
    const inputResponses = { who: accept };
    expect(await call({ ...asHost, requestState, inputResponses }, { of: 'oak' })).toEqual(done);
    expect(caller.calls.at(-1)?.options).toEqual({
      elicitation: { form: true },
      resume: { kind: 'server', requestState: 'their state' },
      inputResponses,
    });
  });

  it('gets no state where the server gave none, nor questions where there are none', async () => {
    const { call, caller } = setUpAsking(pause(), done, pause('again', {}));
    expect(await call(asHost)).not.toHaveProperty('requestState');
    await call({ ...asHost, inputResponses: { who: accept } });
    expect(caller.calls.at(-1)?.options?.resume).toEqual({ kind: 'server' });
    expect(await call(asHost)).toEqual({ resultType: 'input_required', requestState: expect.any(String) });
  });

  it('never sees the handle of a parked call', async () => {
    const { call, caller } = setUpAsking(parked);
    const { requestState = '' } = (await call(asHost)) as InputRequired;
    expect(requestState).not.toContain('secret-handle');
    await call({ ...asHost, requestState });
    expect(caller.calls.at(-1)?.options?.resume).toEqual(parked.resume);
  });

  it.each([
    ['other arguments', {}, { of: 'elm' }, 'srv__make'],
    ['another tool', {}, {}, 'srv__mend'],
    ['another caller', { principal: 'bob' }, { of: 'oak' }, 'srv__make'],
    ['an altered state', { requestState: 'tc1.AAAA' }, { of: 'oak' }, 'srv__make'],
  ] as const)('may not use the state with %s', async (_, more, args, name) => {
    const { call, caller } = setUpAsking(pause('their state'));
    const mine = { ...asHost, principal: 'ada' };
    const { requestState = '' } = (await call(mine)) as InputRequired;
    const before = caller.calls.length;
    await expect(call({ ...mine, requestState, ...more }, args, name)).rejects.toMatchObject({
      code: 'input_state_invalid',
      next: expect.stringContaining('from the start'),
    });
    expect(caller.calls).toHaveLength(before);
  });

  it('may be written in another way', async () => {
    const { call } = setUpAsking(pause('their state'));
    const { requestState = '' } = (await call(asHost)) as InputRequired;
    expect(await call({ ...asHost, requestState }, { arguments: { of: 'oak' } })).toEqual(done);
  });

  it('has its call ended when it left while the question came', async () => {
    const controller = new AbortController();
    const { call, caller } = setUpAsking();
    caller.answer = () => {
      controller.abort();
      return parked;
    };
    await call({ ...asHost, signal: controller.signal });
    expect(caller.abandoned).toEqual([parked.resume]);
  });
});

describe('a caller who is asked while the call runs', () => {
  it('is told who asks, and the answers go back until there is a result', async () => {
    const { router, caller } = setUpAsking(pause('one'), parked);
    const asked: ElicitationRequest[] = [];
    const onElicitation = async (request: ElicitationRequest) => {
      asked.push(request);
      return accept;
    };
    expect(await router.dispatch('make', { of: 'oak' }, { onElicitation })).toEqual(done);
    expect(asked).toMatchObject([
      { server: 'srv', tool: 'srv__make', params: { message: 'Who?' } },
      { server: 'srv', tool: 'srv__make', params: { message: 'Who?' } },
    ]);
    expect(caller.calls.map(({ options }) => options)).toEqual([
      { elicitation: { form: true, url: true } },
      {
        elicitation: { form: true, url: true },
        resume: { kind: 'server', requestState: 'one' },
        inputResponses: { who: accept },
      },
      { elicitation: { form: true, url: true }, resume: parked.resume, inputResponses: { who: accept } },
    ]);
  });

  it('has the server called again where it only wants that', async () => {
    const { router, caller } = setUpAsking(pause('later', {}));
    expect(await router.dispatch('make', {})).toEqual(done);
    expect(caller.calls.at(-1)?.options).toMatchObject({ resume: { kind: 'server', requestState: 'later' } });
    expect(caller.calls.at(-1)?.options).not.toHaveProperty('inputResponses');
  });

  it('is told what was asked where nobody can be', async () => {
    const { router, caller } = setUpAsking(parked);
    const result = await router.dispatch('make', {});
    expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolcrib/error': { reason: 'input_unavailable' } } });
    expect(String(result.content[0]?.text)).toContain('Server "srv" asked: Who?');
    expect(caller.abandoned).toEqual([parked.resume]);
  });

  it('ends the call by failing to answer', async () => {
    const { router, caller } = setUpAsking(parked);
    const onElicitation = () => Promise.reject(new Error('window closed'));
    const result = await router.dispatch('make', {}, { onElicitation });
    expect(String(result.content[0]?.text)).toContain('window closed');
    expect(result.isError).toBe(true);
    expect(caller.abandoned).toEqual([parked.resume]);
  });

  it('ends the call by cancelling it, and the question is withdrawn', async () => {
    const { router, caller } = setUpAsking(parked);
    const controller = new AbortController();
    let withdrawn = false;
    const onElicitation = ({ signal }: ElicitationRequest) => {
      signal.addEventListener('abort', () => {
        withdrawn = true;
      });
      controller.abort();
      return new Promise<never>(() => {});
    };
    const result = await router.dispatch('make', {}, { onElicitation, signal: controller.signal });
    expect(result._meta).toMatchObject({ 'dev.toolcrib/error': { code: 'cancelled' } });
    expect(withdrawn).toBe(true);
    expect(caller.abandoned).toEqual([parked.resume]);
  });

  it('is not asked without end', async () => {
    const { router, caller } = setUpAsking();
    caller.answer = () => parked;
    let asked = 0;
    const onElicitation = async () => {
      asked += 1;
      return accept;
    };
    const result = await router.dispatch('make', {}, { onElicitation });
    expect(String(result.content[0]?.text)).toContain('does not stop asking');
    expect(asked).toBeLessThan(100);
    expect(caller.abandoned).toHaveLength(1);
  });
});
