import { describe, expect, it } from 'vitest';
import type { CallOutcome, CallToolResult, JsonObject } from '../../src/model/index.ts';
import { ResultStore } from '../../src/router/result-store.ts';
import { charsWithin } from '../../src/router/token-budget.ts';
import { countWords, direct, rawTool, setUp } from './harness.ts';

const limits = { resultMaxTokens: 1_000, structuredMaxTokens: 1_000, mediaMaxBytes: 5_000 };
const outputSchema = { type: 'object', properties: { items: { type: 'array' } }, required: ['items'] };

function setUpAnswering(answer: CallOutcome, options: Parameters<typeof setUp>[0] = {}) {
  const tools = { srv: [rawTool('make'), rawTool('typed', {}, [], { outputSchema })] };
  const setup = setUp({ resultLimits: limits, tools, ...options });
  setup.caller.answer = () => answer;
  return setup;
}

const textOf = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const texts = ({ content }: CallToolResult) => content.map(({ text }) => String(text));
const cutOf = ({ _meta }: CallToolResult) => (_meta?.['dev.toolcrib/cut'] ?? {}) as JsonObject;
const call = { name: 'srv__make', arguments: {} };

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index} of a long text, with ünïcödé 🙂`).join('\n');
}

describe('a result over the limit', () => {
  it('is cut within it, says what was cut and how much, and is read on page by page', async () => {
    const whole = lines(1_000);
    const { router } = setUpAnswering(textOf(whole));
    const result = await router.callTool('call_tool', call);
    expect(result.isError).toBeUndefined();
    const [shown = '', note = ''] = texts(result);
    const total = (await countWords([shown, note])).reduce((sum, tokens) => sum + tokens, 0);
    expect(total).toBeLessThanOrEqual(limits.resultMaxTokens);
    expect(note).toContain(`of ${whole.length.toLocaleString('en-US')} characters`);
    expect(note).toMatch(
      /call_tool \{"name":"toolcrib__read_result","arguments":\{"handle":"r_[\w-]{22}","offset":\d+\}\}/,
    );
    let text = shown;
    for (let cut = cutOf(result); cut.nextOffset !== undefined; ) {
      const page = await router.callTool('call_tool', {
        name: 'toolcrib__read_result',
        arguments: { handle: cut.handle ?? '', offset: cut.nextOffset },
      });
      text += texts(page)[0];
      cut = cutOf(page);
    }
    expect(text).toBe(whole);
  });

  it('passes whole when it is within, whatever its bytes', async () => {
    const result = textOf('ab '.repeat(1_300));
    const { router } = setUpAnswering(result);
    expect(await router.callTool('call_tool', call)).toEqual(result);
  });

  it('stays JSON where it is, and its parts are read by pointer', async () => {
    const items = Array.from({ length: 400 }, (_, id) => ({ id, name: `item ${id}` }));
    const { router } = setUpAnswering(textOf(JSON.stringify({ items })));
    const result = await router.callTool('call_tool', call);
    const shown = JSON.parse(texts(result)[0] ?? '') as { items: object[] };
    expect(shown.items.length).toBeGreaterThan(50);
    expect(items.slice(0, shown.items.length)).toEqual(shown.items);
    const read = (args: JsonObject) =>
      router.callTool('call_tool', {
        name: 'toolcrib__read_result',
        arguments: { handle: cutOf(result).handle ?? '', ...args },
      });
    expect(texts(await read({ pointer: '/items/399' }))[0]).toBe('{"id":399,"name":"item 399"}');
    expect(texts(await read({ pointer: '/items/399/name', offset: 5, limit: 2 }))[0]).toBe('39');
    const page = JSON.parse(texts(await read({ pointer: '/items' }))[0] ?? '') as object[];
    expect(items.slice(0, page.length)).toEqual(page);
    const lost = await read({ pointer: '/items/400' });
    expect(lost).toMatchObject({ isError: true });
    expect(texts(lost)[0]).toMatch(/^invalid_arguments: .*is a list of 0–399/);
    expect(texts(await read({ offset: 10_000_000 }))[0]).toMatch(/^invalid_arguments: Offset .* past the end/);
  });

  it('keeps images and what else is no text, each within its own limit', async () => {
    const small = { type: 'image', data: 'a'.repeat(4_000), mimeType: 'image/png' };
    const large = { type: 'image', data: 'b'.repeat(6_000), mimeType: 'image/jpeg' };
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };
    const { router } = setUpAnswering({ content: [link, large, small] });
    const { content, _meta } = await router.callTool('call_tool', call);
    expect(content).toEqual([link, { type: 'text', text: expect.stringMatching(/image\/jpeg.*6,000 bytes/) }, small]);
    expect(_meta).toBeUndefined();
  });

  it('leaves out structured content that is too large, for its handle', async () => {
    const structuredContent = { items: Array.from({ length: 2_000 }, (_, index) => index) };
    const { router } = setUpAnswering({ ...textOf('2000 numbers'), structuredContent });
    const result = await router.callTool('call_tool', call);
    expect(result.structuredContent).toBeUndefined();
    expect(texts(result)[0]).toBe('2000 numbers');
    expect(texts(result)[1]).toMatch(/structuredContent, .* characters of JSON, is left out/);
    const part = await router.dispatch('toolcrib__read_result', { handle: cutOf(result).handle, pointer: '/items/7' });
    expect(texts(part)[0]).toBe('7');
  });

  it('is an error where the host holds it to an output schema', async () => {
    const structuredContent = { items: Array.from({ length: 2_000 }, (_, index) => index) };
    const { router } = setUpAnswering({ ...textOf('numbers'), structuredContent }, { settings: direct });
    const result = await router.callTool('srv__typed', {});
    expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolcrib/error': { code: 'result_too_large' } } });
    expect(texts(result)[0]).toMatch(/^result_too_large: srv__typed ran.*: toolcrib__read_result \{"handle":"r_/s);
    const plain = await router.callTool('srv__make', {});
    expect(plain.isError).toBeUndefined();
    const page = await router.callTool('toolcrib__read_result', { handle: cutOf(plain).handle ?? '', limit: 10 });
    expect(texts(page)[0]).toBe('{"items":[');
  });

  it('is not cut where the limit is 0', async () => {
    const result = textOf(lines(1_000));
    const { router } = setUpAnswering(result, { resultLimits: { resultMaxTokens: 0 } });
    expect(await router.callTool('call_tool', call)).toEqual(result);
  });
});

describe('the handle of a cut result', () => {
  it('is good for its caller alone, and says to others what it says of one that never was', async () => {
    const { router } = setUpAnswering(textOf(lines(1_000)));
    const result = await router.callTool('call_tool', call, { principal: 'session:a' });
    const read = (handle: unknown, principal: string) =>
      router.callTool('call_tool', { name: 'toolcrib__read_result', arguments: { handle } }, { principal });
    expect((await read(cutOf(result).handle, 'session:a')).isError).toBeUndefined();
    const other = await read(cutOf(result).handle, 'session:b');
    expect(other).toMatchObject({ isError: true, _meta: { 'dev.toolcrib/error': { code: 'handle_expired' } } });
    expect(other).toEqual(await read('r_AAAAAAAAAAAAAAAAAAAAAA', 'session:b'));
  });

  it('expires some time after its last use', () => {
    let now = 1;
    const store = new ResultStore({ ttlMs: 1_000, now: () => now });
    const handle = store.put('a', { text: 'x' }) ?? '';
    now += 900;
    expect(store.get('a', handle).text).toBe('x');
    now += 900;
    expect(store.get('a', handle).text).toBe('x');
    now += 1_100;
    expect(() => store.get('a', handle)).toThrow(expect.objectContaining({ code: 'handle_expired' }));
  });

  it('makes room for newer ones of the same caller, and never for those of another', () => {
    const store = new ResultStore();
    const first = store.put('a', { text: 'first' }) ?? '';
    const other = store.put('b', { text: 'other' }) ?? '';
    for (let index = 0; index < 50; index += 1) store.put('a', { text: 'more' });
    expect(() => store.get('a', first)).toThrow();
    expect(store.get('b', other).text).toBe('other');
  });

  it('is not given for what is too large to keep', () => {
    expect(new ResultStore().put('a', { text: '', structured: 1, structuredChars: 65 * 1024 * 1024 })).toBeUndefined();
  });
});

describe('charsWithin', () => {
  it('reads no further than the limit, and keeps characters whole', async () => {
    let counted = 0;
    const count = (chunks: string[]) => {
      counted += chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      expect(chunks.some((chunk) => /\p{Cs}/u.test(chunk))).toBe(false);
      return countWords(chunks);
    };
    const chars = await charsWithin('🙂'.repeat(1_000_000), { maxTokens: 1_000 }, count);
    expect(chars).toBeGreaterThan(3_000);
    expect(chars).toBeLessThanOrEqual(4_000);
    expect(counted).toBeLessThan(20_000);
  });
});
