import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Progress } from '../../src/model/index.ts';
import { rawServer, readRecord, temporaryFolder, tool, until, upstreamOf } from './harness.ts';

describe('call', () => {
  it('starts the server when first needed and passes arguments and third-party metadata', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const meta = {
      traceparent: '00-ab-cd-01',
      'com.example/x': 1,
      'io.modelcontextprotocol/y': 2,
      progressToken: 'mine',
    };
    const result = await upstream.call(tool('raw', 'echo'), { text: 'häß\u2028' }, { meta });
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify({ text: 'häß\u2028' }) }]);
    const received = result._meta?.received as JsonObject;
    expect(received).toMatchObject({ traceparent: '00-ab-cd-01', 'com.example/x': 1 });
    expect(received).not.toHaveProperty('io.modelcontextprotocol/y');
    expect(received.progressToken).not.toBe('mine');
  });

  const blocks: JsonObject[] = [
    { type: 'text', text: 'a', 'x-unknown': true },
    { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///a', name: 'a' },
    { type: 'resource', resource: { uri: 'file:///a', text: 'x' } },
  ];
  const structured: JsonValue[] = [{ a: 1 }, [1, 2], 'text', 0, false, null];

  it.each(structured.map((structuredContent) => ({ structuredContent })))(
    'passes structuredContent %j and every kind of content untouched',
    async ({ structuredContent }) => {
      const { upstream } = upstreamOf([rawServer('raw')]);
      const raw = { content: blocks, structuredContent, isError: true, _meta: { 'com.example/a': { b: 1 } } };
      await expect(upstream.call(tool('raw', 'result'), { raw })).resolves.toEqual(raw);
    },
  );

  it('turns content that MCP does not know into text and leaves out metadata of the protocol', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const strange = { type: 'hologram', depth: 3 };
    const raw = {
      content: [strange, { type: 'text' }],
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x' } },
    };
    await expect(upstream.call(tool('raw', 'result'), { raw })).resolves.toEqual({
      content: [
        { type: 'text', text: JSON.stringify(strange) },
        { type: 'text', text: '{"type":"text"}' },
      ],
    });
  });

  it('passes a result of more than 10 MiB', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const bytes = 11 * 1024 * 1024;
    const { content } = await upstream.call(tool('raw', 'big'), { bytes });
    expect(String(content[0]?.text).length).toBe(bytes);
  });

  it('ends a call whose answer is over the limit, and no other', async () => {
    const { upstream } = upstreamOf([rawServer('raw')], { limits: { messageMaxBytes: 100_000 } });
    const { content: before } = await upstream.call(tool('raw', 'pid'), {});
    const other = upstream.call(tool('raw', 'progress'), { count: 2, everyMs: 100 });
    await expect(upstream.call(tool('raw', 'big'), { bytes: 200_000 })).rejects.toMatchObject({
      code: 'result_too_large',
      details: { mayHaveRun: true },
    });
    expect(await other).toMatchObject({ content: [{ text: 'done' }] });
    expect((await upstream.call(tool('raw', 'pid'), {})).content).toEqual(before);
  });

  it('ends the connection on a message over the limit that answers nobody knows what', async () => {
    const { upstream } = upstreamOf([rawServer('raw')], { limits: { messageMaxBytes: 100_000 } });
    const line = `"${'x'.repeat(200_000)}"`;
    await expect(upstream.call(tool('raw', 'answer'), { line: `[${line}]` })).rejects.toMatchObject({
      code: 'upstream_lost',
    });
    await expect(upstream.call(tool('raw', 'big'), { bytes: 1_000 })).resolves.toHaveProperty('content');
  });

  it('says that a call may have run when the server ends in the middle, and restarts it for the next', async () => {
    const { upstream } = upstreamOf([rawServer('raw', { stderr: 'about to work' })]);
    const before = await upstream.call(tool('raw', 'pid'), {});
    const lost = await upstream.call(tool('raw', 'crash'), {}).catch((error: unknown) => error);
    expect(lost).toMatchObject({ code: 'upstream_lost', details: { server: 'raw', mayHaveRun: true } });
    expect(String(lost)).toContain('may have run');
    expect((lost as { details: JsonObject }).details.reason).toContain('exit code 3; last output: about to work');
    const after = await upstream.call(tool('raw', 'pid'), {});
    expect(after.content[0]?.text).not.toBe(before.content[0]?.text);
  });

  it('counts a server that closes its output as lost, and restarts it for the next call', async () => {
    const { upstream } = upstreamOf([rawServer('raw', { stubborn: true })]);
    const before = await upstream.call(tool('raw', 'pid'), {});
    await expect(upstream.call(tool('raw', 'mute'), {})).rejects.toMatchObject({ code: 'upstream_lost' });
    const after = await upstream.call(tool('raw', 'pid'), {});
    expect(after.content[0]?.text).not.toBe(before.content[0]?.text);
  });

  it('does not call with arguments that cannot be written as JSON, and stays connected', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const before = await upstream.call(tool('raw', 'pid'), {});
    const args = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) as JsonObject;
    await expect(upstream.call(tool('raw', 'echo'), args)).rejects.toMatchObject({
      code: 'invalid_arguments',
      details: { mayHaveRun: false },
      message: expect.stringContaining('nested too deep'),
    });
    await expect(upstream.call(tool('raw', 'pid'), {})).resolves.toEqual(before);
  });

  const deep = '['.repeat(6_000) + ']'.repeat(6_000);
  const veryDeep = '['.repeat(60_000) + ']'.repeat(60_000);
  const resultLine = (result: string) => `{"jsonrpc":"2.0","id":"ID","result":${result}}`;

  it.each([
    { name: 'structuredContent', line: resultLine(`{"content":[],"structuredContent":${deep}}`) },
    { name: 'very deep structuredContent', line: resultLine(`{"content":[],"structuredContent":${veryDeep}}`) },
    { name: 'a content block', line: resultLine(`{"content":[{"type":"x","a":${deep}}]}`) },
    { name: 'content', line: resultLine(`{"content":${veryDeep}}`) },
    { name: 'metadata', line: resultLine(`{"content":[],"_meta":{"a":${deep}}}`) },
  ])('says that the call ran when its result is nested too deep in $name', async ({ line }) => {
    const { upstream } = upstreamOf([rawServer('raw', {}, { timeoutMs: 5_000 })]);
    await expect(upstream.call(tool('raw', 'answer'), { line })).rejects.toMatchObject({
      code: 'upstream_error',
      details: { mayHaveRun: true },
      message: expect.stringMatching(/The call ran.*nested too deep/),
    });
    await expect(upstream.call(tool('raw', 'pid'), {})).resolves.toHaveProperty('content');
  });

  it.each([
    { name: 'a deep message', error: `{"code":1,"message":${veryDeep}}` },
    { name: 'a deep error', error: veryDeep },
    { name: 'deep data', error: `{"code":1,"message":"no","data":${veryDeep}}` },
    { name: 'a number as message', error: '{"code":1,"message":7}' },
    { name: 'null', error: 'null' },
    { name: 'no message', error: '{}' },
  ])('ends the call at once on an error with $name', async ({ error }) => {
    const { upstream } = upstreamOf([rawServer('raw', {}, { timeoutMs: 5_000 })]);
    const line = `{"jsonrpc":"2.0","id":"ID","error":${error}}`;
    await expect(upstream.call(tool('raw', 'answer'), { line })).rejects.toMatchObject({ code: 'upstream_error' });
  });

  it('takes a response whose id came back as a string', async () => {
    const { upstream } = upstreamOf([rawServer('raw', { stringIds: true }, { timeoutMs: 5_000 })]);
    await expect(upstream.call(tool('raw', 'echo'), {})).resolves.toHaveProperty('content.0.text', '{}');
    await expect(upstream.call(tool('raw', 'fail'), { error: { code: 1, message: 'no' } })).rejects.toMatchObject({
      code: 'upstream_error',
    });
  });

  it.each([
    [true, true],
    ['yes', true],
    ['true', true],
    [1, true],
    [{}, true],
    [false, false],
    ['false', false],
    ['', false],
    [0, false],
    [null, false],
  ])('reads isError %j as %j', async (isError, expected) => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const result = await upstream.call(tool('raw', 'result'), { raw: { content: [], isError } });
    expect(result.isError ?? false).toBe(expected);
  });

  it('leaves out metadata that only toolcrib itself may set, also of content', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const theirs = { 'com.example/a': 1 };
    const reserved = { 'dev.toolcrib/tool': 'x', 'io.modelcontextprotocol/y': 1 };
    const block = { type: 'text', text: 'a' };
    const resource = { type: 'resource', resource: { uri: 'file:///a', text: 'x', _meta: { ...theirs, ...reserved } } };
    const raw = {
      content: [
        { ...block, _meta: { ...theirs, ...reserved } },
        { ...block, _meta: reserved },
        { type: 'strange', _meta: reserved },
        resource,
      ],
      _meta: { ...theirs, ...reserved },
    };
    await expect(upstream.call(tool('raw', 'result'), { raw })).resolves.toEqual({
      content: [
        { ...block, _meta: theirs },
        block,
        { type: 'text', text: '{"type":"strange"}' },
        { type: 'resource', resource: { uri: 'file:///a', text: 'x', _meta: theirs } },
      ],
      _meta: theirs,
    });
  });

  it('takes the valid messages of a batch that holds a bad one', async () => {
    const { upstream } = upstreamOf([rawServer('raw', {}, { timeoutMs: 5_000 })]);
    const line = `[{"strange":1},null,${resultLine('{"content":[{"type":"text","text":"here"}]}')}]`;
    await expect(upstream.call(tool('raw', 'answer'), { line })).resolves.toHaveProperty('content.0.text', 'here');
  });

  it('restarts a server that was killed between two calls', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const before = await upstream.call(tool('raw', 'pid'), {});
    process.kill(Number(before.content[0]?.text), 'SIGKILL');
    const after = await upstream.call(tool('raw', 'echo'), {}).catch((error: unknown) => error);
    // Whether the kill was noticed before the call was written is a race; both ends of it have to be told honestly.
    if (after instanceof Error) expect(after).toMatchObject({ code: 'upstream_lost', details: { mayHaveRun: true } });
    await expect(upstream.call(tool('raw', 'echo'), {})).resolves.toHaveProperty('content');
  });

  it('keeps the code and the words of a JSON-RPC error, without a stack trace', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const error = { code: -32050, message: 'quota used up\n    at fn (/home/me/x.js:1:2)', data: { a: 1 } };
    const failure = await upstream.call(tool('raw', 'fail'), { error }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: 'upstream_error', details: { rpcCode: -32050 } });
    expect(String(failure)).toContain('quota used up');
    expect(String(failure)).not.toContain('x.js');
  });

  it('answers at once when an error has no valid code', async () => {
    const { upstream } = upstreamOf([rawServer('raw')]);
    const failure = upstream.call(tool('raw', 'fail'), { error: { code: 'ENOENT', message: 'no file' } });
    await expect(failure).rejects.toMatchObject({
      code: 'upstream_error',
      message: expect.stringContaining('no file'),
    });
  });

  it.each([{ resultType: 'input_required', inputRequests: {} }, { resultType: 'task', taskId: '1' }, null])(
    'refuses the result %j as one it cannot use',
    async (raw) => {
      const { upstream } = upstreamOf([rawServer('raw')]);
      await expect(upstream.call(tool('raw', 'result'), { raw })).rejects.toMatchObject({
        code: 'upstream_error',
        details: { mayHaveRun: true },
      });
    },
  );

  it('forwards progress, which keeps a call alive past its idle limit', async () => {
    const { upstream } = upstreamOf([rawServer('raw', {}, { timeoutMs: 600 })]);
    const ticks: Progress[] = [];
    const onProgress = (progress: Progress) => void ticks.push(progress);
    const result = await upstream.call(tool('raw', 'progress'), { count: 5, everyMs: 250 }, { onProgress });
    expect(result.content[0]?.text).toBe('done');
    expect(ticks[0]).toEqual({ progress: 1, total: 5, message: 'step 1' });
    expect(ticks.length).toBeGreaterThanOrEqual(4);
  });

  it('stays alive on progress nobody listens to, and ends at the absolute limit', async () => {
    const { upstream } = upstreamOf([rawServer('raw', {}, { timeoutMs: 600, maxTimeoutMs: 1_500 })]);
    await expect(upstream.call(tool('raw', 'progress'), { count: 3, everyMs: 250 })).resolves.toHaveProperty('content');
    await expect(upstream.call(tool('raw', 'progress'), { count: 100, everyMs: 250 })).rejects.toMatchObject({
      code: 'upstream_timeout_unknown_outcome',
      message: expect.stringContaining('maxTimeoutMs'),
    });
  });

  it('times out an idle call, tells the server, and stays connected', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { record }, { timeoutMs: 300 })]);
    await expect(upstream.call(tool('raw', 'hang'), {})).rejects.toMatchObject({
      code: 'upstream_timeout_unknown_outcome',
      details: { mayHaveRun: true },
    });
    await until(() => readRecord(record).some(({ method }) => method === 'notifications/cancelled'), 'a cancel notice');
    await upstream.call(tool('raw', 'echo'), {});
    expect(readRecord(record).filter(({ pid }) => pid !== undefined)).toHaveLength(1);
  });

  it('cancels: the caller is told, the server is told, other calls go on', async () => {
    const record = join(await temporaryFolder(), 'record');
    const { upstream } = upstreamOf([rawServer('raw', { record })]);
    await upstream.call(tool('raw', 'echo'), {});
    const controller = new AbortController();
    const other = upstream.call(tool('raw', 'progress'), { count: 2, everyMs: 200 });
    const call = upstream.call(tool('raw', 'hang'), {}, { signal: controller.signal });
    await until(() => readRecord(record).some(({ params }) => (params as JsonObject)?.name === 'hang'), 'the call');
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled', details: { mayHaveRun: true } });
    await until(() => readRecord(record).some(({ method }) => method === 'notifications/cancelled'), 'a cancel notice');
    await expect(other).resolves.toHaveProperty('content');
  });

  it('does not run a call that was cancelled before the server was up', async () => {
    const { upstream } = upstreamOf([rawServer('raw', { startDelayMs: 60_000 })]);
    const controller = new AbortController();
    const call = upstream.call(tool('raw', 'echo'), {}, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled', details: { mayHaveRun: false } });
  });

  it('refuses calls to servers that are disabled or unknown', async () => {
    const disabled = [{ id: 'off', position: 1, problem: 'TOKEN is not set' }];
    const { upstream } = upstreamOf([], { disabled });
    for (const id of ['off', 'nowhere']) {
      await expect(upstream.call(tool(id, 'x'), {})).rejects.toMatchObject({
        code: 'upstream_unavailable',
        details: { mayHaveRun: false },
      });
    }
  });

  it('explains a command that does not exist to people, without naming it to models', async () => {
    const server = rawServer('raw');
    server.transport = { kind: 'stdio', command: '/no/such/command', args: [], env: {} };
    const { upstream } = upstreamOf([server]);
    const failure = await upstream.call(tool('raw', 'echo'), {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'upstream_unavailable', details: { mayHaveRun: false } });
    expect(String(failure)).not.toContain('/no/such');
    const [report] = await upstream.sync(['raw']);
    expect(report?.error).toContain('/no/such/command');
  });
});
