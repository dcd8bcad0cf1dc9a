import { describe, expect, it } from 'vitest';
import type { CallOutcome } from '../../src/model/index.ts';
import { asked, RunningCall } from '../../src/upstream/running-call.ts';
import { tool } from './harness.ts';

const done: CallOutcome = { content: [] };
const never = new AbortController().signal;
const accept = { action: 'accept' } as const;

function start() {
  let end: (outcome: CallOutcome) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const outcome = new Promise<CallOutcome>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  const call = new RunningCall(tool('srv', 'make'), {}, () => outcome);
  return { call, end, fail };
}

const ask = (call: RunningCall, message: string, signal = never) => call.ask({ message }, signal);

describe('a round of a call', () => {
  it('ends with the result or with a question, whichever is first', async () => {
    const { call, end } = start();
    const first = call.round({});
    const answer = ask(call, 'Who?');
    expect(await first).toBe(asked);
    expect(Object.values(call.requests)).toEqual([{ method: 'elicitation/create', params: { message: 'Who?' } }]);
    const second = call.round({ inputResponses: { 'question-1': accept } });
    expect(await answer).toEqual(accept);
    end(done);
    expect(await second).toBe(done);
  });

  it('goes on when a question is withdrawn at once, and still hears of the next', async () => {
    const { call } = start();
    const round = call.round({});
    const withdrawal = new AbortController();
    const withdrawn = ask(call, 'First?', withdrawal.signal);
    withdrawal.abort();
    await expect(withdrawn).rejects.toThrow('withdrew');
    void ask(call, 'Second?');
    expect(await round).toBe(asked);
    expect(Object.keys(call.requests)).toEqual(['question-2']);
  });

  it('puts a question first that came before the end, of either kind', async () => {
    for (const finish of ['end', 'fail'] as const) {
      const { call, end, fail } = start();
      const answer = ask(call, 'Whose?');
      if (finish === 'end') end(done);
      else fail(new Error('broken'));
      expect(await call.round({})).toBe(asked);
      const last = call.round({ inputResponses: { 'question-1': accept } });
      if (finish === 'end') expect(await last).toBe(done);
      else await expect(last).rejects.toThrow('broken');
      expect(await answer).toEqual(accept);
    }
  });

  it('ends the call when its request is cancelled, and answers what is asked with a cancellation', async () => {
    const { call, fail } = start();
    const controller = new AbortController();
    call.signal.addEventListener('abort', () => fail(new Error('cancelled')));
    const answer = ask(call, 'Who?');
    controller.abort();
    await expect(call.round({ signal: controller.signal })).rejects.toThrow('cancelled');
    expect(await answer).toEqual({ action: 'cancel' });
  });
});
