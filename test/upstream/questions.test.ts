import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallOutcome, CallPause, ServerSpec, Upstream, UpstreamCallOptions } from '../../src/model/index.ts';
import { fixtures, isRunning, nodeServer, spec, tool, until, upstreamOf } from './harness.ts';

const elicitation = { form: true, url: true };
const accept = (name: string) => ({ action: 'accept', content: { name } });

const legacy = (part: Partial<ServerSpec> = {}) => nodeServer('old', [join(fixtures, 'asking-legacy.mjs')], part);

function call(upstream: Upstream, name: string, args = {}, options: UpstreamCallOptions = {}) {
  return upstream.call(tool('old', name), args, { elicitation, ...options });
}

describe('a server of the handshake era that asks during a call', () => {
  it('is told what can be asked when it is connected, and of nothing else', async () => {
    const { upstream } = upstreamOf([legacy()]);
    expect(json(await call(upstream, 'capabilities'))).toEqual({ elicitation: { form: {}, url: {} } });
  });

  it('has its call parked until the answer comes, and is named in the question', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const pause = paused(await call(upstream, 'ask'));
    const [[key, { method, params }]] = entriesOf(pause);
    expect(method).toBe('elicitation/create');
    expect(params.message).toBe('Server "old" (tool "ask") asks: What is your name?');
    // Also what the SDK has no schema for.
    expect(params.requestedSchema).toMatchObject({ properties: { name: { 'x-own': 1 } } });
    const outcome = await call(upstream, 'ask', {}, { resume: pause.resume, inputResponses: { [key]: accept('Ada') } });
    expect(json(outcome)).toEqual({ answer: accept('Ada') });
  });

  it('may ask again, each time under a new handle, and an old one serves no more', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const first = paused(await call(upstream, 'ask_twice'));
    const second = paused(await answer(upstream, 'ask_twice', first, accept('one')));
    expect(second.resume).not.toEqual(first.resume);
    await expect(answer(upstream, 'ask_twice', first, accept('late'))).rejects.toMatchObject({
      code: 'input_state_invalid',
    });
    const outcome = await answer(upstream, 'ask_twice', second, { action: 'decline' });
    expect(json(outcome)).toEqual({ first: accept('one'), second: { action: 'decline' } });
  });

  it('may ask two things at once; what is not answered is asked again', async () => {
    const { upstream } = upstreamOf([legacy()]);
    let pause = paused(await call(upstream, 'ask_two'));
    const seen: string[] = [];
    for (;;) {
      const [[key, { params }]] = entriesOf(pause);
      seen.push(params.message.split(': ')[1] ?? '');
      const inputResponses = { [key]: accept(params.message), stranger: accept('ignored') };
      const outcome = await call(upstream, 'ask_two', {}, { resume: pause.resume, inputResponses });
      if (!('resume' in outcome)) break;
      pause = outcome;
    }
    expect(seen.sort()).toEqual(['One?', 'Two?']);
  });

  it('may not ask without end', async () => {
    const { upstream } = upstreamOf([legacy()]);
    let outcome = await call(upstream, 'ask_many', { count: 100 });
    for (let rounds = 0; 'resume' in outcome && rounds < 50; rounds += 1) {
      const inputResponses = Object.fromEntries(Object.keys(outcome.inputRequests).map((key) => [key, accept('x')]));
      outcome = await call(upstream, 'ask_many', {}, { resume: outcome.resume, inputResponses });
    }
    // Few more than fit at once: some come when others have been answered.
    expect(json(outcome)).toBeGreaterThanOrEqual(16);
    expect(json(outcome)).toBeLessThan(100);
  });

  it('is asked again about an answer that is none', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const pause = paused(await call(upstream, 'ask'));
    const again = paused(await answer(upstream, 'ask', pause, { action: 'perhaps' }));
    expect(entriesOf(again)).toEqual(entriesOf(pause));
    expect(json(await answer(upstream, 'ask', again, accept('Ada')))).toEqual({ answer: accept('Ada') });
  });

  it('has no time counted while the user thinks', async () => {
    const { upstream } = upstreamOf([legacy({ timeoutMs: 1_000, maxTimeoutMs: 1_000 })]);
    const pause = paused(await call(upstream, 'ask'));
    await new Promise((wait) => setTimeout(wait, 1_500));
    expect(json(await answer(upstream, 'ask', pause, accept('Ada')))).toEqual({ answer: accept('Ada') });
    await expect(call(upstream, 'wait', { ms: 5_000 })).rejects.toMatchObject({
      code: 'upstream_timeout_unknown_outcome',
    });
  });

  it('has its progress told to the request that waits, and to none while the user thinks', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const ticks: [string, number][] = [];
    const telling = (round: string) => ({
      onProgress: ({ progress }: { progress: number }) => void ticks.push([round, progress]),
    });
    const pause = paused(await call(upstream, 'ask_ticking', {}, telling('first')));
    ticks.length = 0;
    await new Promise((wait) => setTimeout(wait, 300));
    expect(ticks).toEqual([]);
    await answer(upstream, 'ask_ticking', pause, accept('Ada'), telling('second'));
    expect(ticks.length).toBeGreaterThan(0);
    expect(new Set(ticks.map(([round]) => round))).toEqual(new Set(['second']));
  });

  it('passes a URL whole, with its id, and tells when what it was for is done', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const done: string[] = [];
    const options = { onElicitationComplete: (id: string) => void done.push(id) };
    const pause = paused(await call(upstream, 'ask_url', { elicitationId: 'e-1' }, options));
    expect(entriesOf(pause)[0][1].params).toMatchObject({
      mode: 'url',
      url: 'https://example.org/a?b=c',
      elicitationId: 'e-1',
    });
    await answer(upstream, 'ask_url', pause, { action: 'accept' }, options);
    await call(upstream, 'complete', { elicitationId: 'e-other' });
    await call(upstream, 'complete', { elicitationId: 'e-1' });
    await until(() => done.length > 0, 'the notice');
    expect(done).toEqual(['e-1']);
  });

  it('may refuse a call until its user has been at a URL', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const first = paused(await call(upstream, 'needs_url', { times: 1 }));
    expect(entriesOf(first)[0][1].params).toMatchObject({
      mode: 'url',
      message: 'Server "old" (tool "needs_url") asks: Pay first.',
      url: 'https://example.org/pay',
    });
    const made = await answer(upstream, 'needs_url', first, { action: 'accept' });
    expect(json(made)).toBe('paid');
    const second = paused(await call(upstream, 'needs_url', { times: 9 }));
    await expect(answer(upstream, 'needs_url', second, { action: 'decline' })).rejects.toMatchObject({
      code: 'input_unavailable',
      message: expect.stringContaining('did not agree'),
    });
    const options = { resume: second.resume, inputResponses: { 'url-1': { action: 'accept' } } };
    await expect(call(upstream, 'needs_url', { times: 9 }, options)).rejects.toMatchObject({
      code: 'input_unavailable',
      message: expect.stringContaining('https://example.org/pay'),
    });
    await expect(call(upstream, 'needs_url', { times: 9 }, { elicitation: { form: true } })).rejects.toMatchObject({
      code: 'input_unavailable',
    });
  });

  it('is told when the caller cannot be asked that way', async () => {
    const { upstream } = upstreamOf([legacy()]);
    for (const [name, modes] of [
      ['ask', {}],
      ['ask', { url: true }],
      ['ask_url', { form: true }],
    ] as const) {
      const outcome = await upstream
        .call(tool('old', name), { elicitationId: 'e' }, { elicitation: modes })
        .catch((error: Error) => error.message);
      expect(JSON.stringify(outcome)).toContain('Nobody was asked');
    }
  });

  it('may withdraw its question', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const pause = paused(await call(upstream, 'impatient', { ms: 100 }));
    await new Promise((wait) => setTimeout(wait, 300));
    expect(json(await answer(upstream, 'impatient', pause, accept('Ada')))).toEqual({ answer: 'withdrawn' });
  });
});

describe('a parked call', () => {
  it('belongs to its tool and principal', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const mine = { principal: 'ada' };
    const pause = paused(await call(upstream, 'ask', {}, mine));
    const refused = { code: 'input_state_invalid' };
    await expect(answer(upstream, 'ask', pause, accept('x'), { principal: 'bob' })).rejects.toMatchObject(refused);
    await expect(answer(upstream, 'ask', pause, accept('x'))).rejects.toMatchObject(refused);
    await expect(answer(upstream, 'ask_twice', pause, accept('x'), mine)).rejects.toMatchObject(refused);
    expect(json(await answer(upstream, 'ask', pause, accept('Ada'), mine))).toEqual({ answer: accept('Ada') });
  });

  it('is cancelled when nobody answers in time', async () => {
    const { upstream } = upstreamOf([legacy()], { parkedLimits: { parkedMaxMs: 100 } });
    const pause = paused(await call(upstream, 'ask'));
    const cancelled = async () => json(await call(upstream, 'cancelled'));
    await expect.poll(cancelled).toEqual(['ask']);
    await expect(answer(upstream, 'ask', pause, accept('late'))).rejects.toMatchObject({
      code: 'input_state_invalid',
    });
  });

  it('is cancelled when it is abandoned, and when the request that takes it up again is', async () => {
    const { upstream } = upstreamOf([legacy()]);
    upstream.abandon(paused(await call(upstream, 'ask')).resume);
    await expect.poll(async () => json(await call(upstream, 'cancelled'))).toEqual(['ask']);
    const pause = paused(await call(upstream, 'ask'));
    const controller = new AbortController();
    controller.abort();
    const late = answer(upstream, 'ask', pause, accept('x'), { signal: controller.signal });
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(async () => json(await call(upstream, 'cancelled'))).toEqual(['ask']);
  });

  it('says that its server is gone when it crashed meanwhile', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const pause = paused(await call(upstream, 'crash'));
    await until(() => upstream.states()[0]?.state === 'failed', 'the crash');
    await expect(answer(upstream, 'crash', pause, accept('x'))).rejects.toMatchObject({
      code: 'upstream_lost',
      details: { mayHaveRun: true },
    });
    expect(json(await call(upstream, 'cancelled'))).toEqual([]);
  });

  it('ends when toolcrib is closed', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const pid = Number(json(await call(upstream, 'pid')));
    const pause = paused(await call(upstream, 'ask'));
    await upstream.close();
    expect(isRunning(pid)).toBe(false);
    await expect(answer(upstream, 'ask', pause, accept('x'))).rejects.toMatchObject({ code: 'closed' });
  });

  it('leaves nothing on the signal of whoever called', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const { signal } = new AbortController();
    for (let round = 0; round < 5; round += 1) {
      const pause = paused(await call(upstream, 'ask_twice', {}, { signal }));
      const again = paused(await answer(upstream, 'ask_twice', pause, accept('x'), { signal }));
      if (round % 2 === 0) await answer(upstream, 'ask_twice', again, accept('y'), { signal });
      else upstream.abandon(again.resume);
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is one of a limited number', async () => {
    const { upstream, logger } = upstreamOf([legacy()], { parkedLimits: { parkedMaxEach: 1 } });
    paused(await call(upstream, 'ask'));
    expect(json(await call(upstream, 'ask'))).toEqual({ answer: { action: 'cancel' } });
    expect(logger.lines.some(({ level, message }) => level === 'warn' && message.includes('Too many'))).toBe(true);
  });
});

describe('calls of several principals', () => {
  it('have questions declined while nobody can tell whose they are', async () => {
    const { upstream, logger } = upstreamOf([legacy()]);
    const waiting = call(upstream, 'wait', { ms: 1_000 }, { principal: 'bob' });
    await call(upstream, 'pid');
    expect(json(await call(upstream, 'ask', {}, { principal: 'ada' }))).toEqual({ answer: { action: 'decline' } });
    expect(logger.lines.find(({ level }) => level === 'warn')?.message).toMatch(/declined: calls of 2 callers/);
    await waiting;
    paused(await call(upstream, 'ask', {}, { principal: 'ada' }));
  });

  it('also when one of them was given up, for its question may come yet', async () => {
    const { upstream } = upstreamOf([legacy()]);
    const controller = new AbortController();
    const late = call(upstream, 'ask_later', { ms: 600 }, { principal: 'bob', signal: controller.signal });
    await call(upstream, 'pid', {}, { principal: 'bob' });
    controller.abort();
    await expect(late).rejects.toMatchObject({ code: 'cancelled' });
    const ada = call(upstream, 'wait', { ms: 1_200 }, { principal: 'ada' });
    expect(json(await ada)).toBe('waited');
  });

  it('are told apart with a connection for each', async () => {
    const { upstream } = upstreamOf([legacy({ isolation: 'perCaller' })]);
    const [ada, bob] = [{ principal: 'ada' }, { principal: 'bob' }];
    const pids = await Promise.all([call(upstream, 'pid', {}, ada), call(upstream, 'pid', {}, bob)]);
    expect(json(pids[0])).not.toEqual(json(pids[1]));
    expect(json(await call(upstream, 'pid', {}, ada))).toEqual(json(pids[0]));
    const pauses = [
      paused(await call(upstream, 'ask', {}, ada)),
      paused(await call(upstream, 'ask', {}, bob)),
    ] as const;
    const [theirs, mine] = await Promise.all([
      answer(upstream, 'ask', pauses[1], accept('Bob'), bob),
      answer(upstream, 'ask', pauses[0], accept('Ada'), ada),
    ]);
    expect([json(mine), json(theirs)]).toEqual([{ answer: accept('Ada') }, { answer: accept('Bob') }]);
  });

  it('leave no connection behind', async () => {
    const { upstream } = upstreamOf([legacy({ isolation: 'perCaller' })]);
    const principals = ['ada', 'bob'];
    const pids = await Promise.all(principals.map((principal) => call(upstream, 'pid', {}, { principal })));
    await upstream.close();
    expect(pids.map((pid) => isRunning(Number(json(pid))))).toEqual([false, false]);
  });
});

const transports = [
  { name: 'stdio', make: async () => nodeServer('old', [join(fixtures, 'asking-modern.mjs')]) },
  { name: 'HTTP', make: async () => spec('old', { kind: 'http', url: await startHttp(), headers: {} }) },
];

describe.each(transports)('a 2026-07-28 server over $name that answers with questions', ({ make }) => {
  it('gets its state back byte for byte, with the answers', async () => {
    const { upstream } = upstreamOf([await make()]);
    const pause = paused(await call(upstream, 'ask'));
    expect(pause.resume).toEqual({ kind: 'server', requestState: 'état "1"\n=/+ \u{1F511}' });
    expect(entriesOf(pause)[0][1].params.message).toBe('Server "old" (tool "ask") asks: What is your name?');
    const outcome = await answer(upstream, 'ask', pause, accept('Ada'));
    expect(json(outcome)).toEqual({ answer: accept('Ada'), stateIsBack: true });
  });

  it('gets no state where it gave none', async () => {
    const { upstream } = upstreamOf([await make()]);
    const pause = paused(await call(upstream, 'ask_plainly'));
    expect(pause.resume).toEqual({ kind: 'server' });
    expect(json(await answer(upstream, 'ask_plainly', pause, accept('Ada')))).toEqual({
      answer: accept('Ada'),
      state: 'none',
    });
  });

  it('may ask nothing and only want to be called again', async () => {
    const { upstream } = upstreamOf([await make()]);
    const pause = paused(await call(upstream, 'again'));
    expect(pause.inputRequests).toEqual({});
    expect(json(await call(upstream, 'again', {}, { resume: pause.resume }))).toBe('came back with later');
  });

  it('is told with each call what its caller can do', async () => {
    const { upstream } = upstreamOf([await make()]);
    const seen = async (modes: UpstreamCallOptions['elicitation']) =>
      json(await upstream.call(tool('old', 'capabilities'), {}, { elicitation: modes ?? {} }));
    expect(await seen({ form: true, url: true })).toEqual({ elicitation: { form: {}, url: {} } });
    expect(await seen({ form: true })).toEqual({ elicitation: { form: {} } });
    expect(await seen({})).toEqual({});
  });

  it('says itself when it needs what its caller cannot do', async () => {
    const { upstream } = upstreamOf([await make()]);
    const refused = { code: 'input_unavailable', details: { rpcCode: -32021 } };
    await expect(call(upstream, 'ask', {}, { elicitation: { url: true } })).rejects.toMatchObject(refused);
    await expect(call(upstream, 'ask_url', {}, { elicitation: { form: true } })).rejects.toMatchObject(refused);
    await expect(call(upstream, 'ask_model')).rejects.toMatchObject(refused);
  });
});

function json(outcome: CallOutcome | undefined): unknown {
  if (outcome === undefined || 'resume' in outcome) throw new Error(`No result: ${JSON.stringify(outcome)}`);
  const text = String(outcome.content[0]?.text);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function paused(outcome: CallOutcome): CallPause {
  if (!('resume' in outcome)) throw new Error(`No questions: ${JSON.stringify(outcome)}`);
  return outcome;
}

type Entry = [string, CallPause['inputRequests'][string]];

function entriesOf({ inputRequests }: CallPause): [Entry, ...Entry[]] {
  const [first, ...others] = Object.entries(inputRequests);
  if (first === undefined) throw new Error('Nothing was asked.');
  return [first, ...others];
}

/** Gives one answer to whatever is asked first. */
function answer(upstream: Upstream, name: string, pause: CallPause, given: unknown, options: UpstreamCallOptions = {}) {
  const [[key]] = entriesOf(pause);
  return call(upstream, name, {}, { ...options, resume: pause.resume, inputResponses: { [key]: given } });
}

async function startHttp(): Promise<string> {
  const child = spawn(process.execPath, [join(fixtures, 'asking-modern.mjs'), 'http'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return String(line).trim();
}
