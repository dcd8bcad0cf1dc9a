import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { Progress } from '../../src/model/index.ts';
import { serveHttp } from '../../src/server/index.ts';
import { connectHost, type Generation, generations, type Host, textOf } from '../fixtures/hosts/index.ts';
import { FakeRouter, knownBlocks } from './fake-router.ts';
import { keepingLogger } from './keeping-logger.ts';

const kinds = ['stdio', 'http'] as const;
const cases = kinds.flatMap((kind) => generations.map((generation) => [kind, generation] as const));
const program = fileURLToPath(new URL('./stdio-program.ts', import.meta.url));

describe.each(cases)('%s, %s', (kind, generation) => {
  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });

  async function start(mode: 'direct' | 'discovery' = 'discovery'): Promise<{ host: Host; router?: FakeRouter }> {
    const started = kind === 'stdio' ? { host: await overStdio(generation, mode) } : await overHttp(generation, mode);
    endings.push(() => started.host.close());
    return started;
  }

  async function overHttp(generation: Generation, mode: 'direct' | 'discovery') {
    const router = new FakeRouter(mode);
    const serving = await serveHttp(router, { port: 0, serverInfo, logger: keepingLogger() });
    endings.push(() => serving.close());
    return { host: await connectHost(generation, { kind: 'http', url: serving.url }), router };
  }

  it('speaks the revision of the host and gives the router’s instructions', async () => {
    const { host } = await start();
    expect(host.era).toBe(generation === 'v2 modern' ? 'modern' : 'legacy');
    expect(host.instructions).toBe('Search first, then call.');
    expect(host.listChanged).toBe(false);
  });

  it('lists the tools in the router’s order', async () => {
    const { host } = await start();
    expect((await host.listTools()).map(({ name }) => name)).toEqual(new FakeRouter().listTools().map((t) => t.name));
  });

  it('passes arguments and third-party metadata to the router and back, reserved metadata not', async () => {
    const { host, router } = await start();
    const result = await host.call('echo', { a: [1, { b: null }] }, { meta: { 'example.org/trace': 't1' } });
    expect(JSON.parse(textOf(result))).toEqual({ a: [1, { b: null }] });
    expect(result._meta).toMatchObject({ 'example.org/cost': 3 });
    expect(Object.keys(result._meta ?? {})).not.toContain('io.modelcontextprotocol/x');
    if (router) expect(router.calls.at(-1)?.meta).toEqual({ 'example.org/trace': 't1' });
  });

  it('carries every kind of content', async () => {
    const { host } = await start();
    expect((await host.call('blocks')).content).toMatchObject(knownBlocks.map(({ 'x-extra': _, ...block }) => block));
  });

  it('reads resources, with metadata of third parties', async () => {
    const { host } = await start();
    const { contents, _meta } = await host.readResource('file:///known.txt');
    expect(contents).toEqual([{ uri: 'file:///known.txt', text: 'known' }]);
    expect(_meta).toMatchObject({ 'example.org/age': 1 });
    expect(Object.keys(_meta ?? {})).not.toContain('io.modelcontextprotocol/x');
  });

  it.each([
    ['file:///other.txt', -32602, 'No tool result has named "file:///other.txt" so far. Call the tool'],
    ['file:///away.txt', -32603, 'Server "a" could not be reached.'],
    ['file:///crash.txt', -32603, 'toolcrib itself failed'],
  ])('says why %s cannot be read', async (uri, code, words) => {
    const { host } = await start();
    const error = await host.readResource(uri).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(String((error as Error).message)).not.toContain('inner');
    if (code === -32602) expect(error).toMatchObject({ data: { uri } });
  });

  it('turns content that no host knows into text', async () => {
    const { host } = await start();
    expect((await host.call('odd')).content).toEqual([
      { type: 'text', text: '{"type":"hologram","size":2}' },
      { type: 'text', text: '{"type":"text"}' },
      { type: 'text', text: 'after' },
    ]);
  });

  it('gives structured content that is no object as the revision can carry it', async () => {
    const { host } = await start();
    const result = await host.call('array');
    expect(result.structuredContent).toEqual(generation === 'v2 modern' ? [1, 2] : undefined);
    expect(textOf(result)).toBe(generation === 'v2 modern' ? '' : '[1,2]');
  });

  it('gives a result that fits the output schema as the host sees it listed', async () => {
    const { host } = await start();
    await host.listTools();
    expect((await host.call('numbers')).structuredContent).toEqual(
      generation === 'v2 modern' ? [1, 2] : { result: [1, 2] },
    );
  });

  it('sends progress that grows, before the result', async () => {
    const { host } = await start();
    const ticks: unknown[] = [];
    let release: Promise<unknown> | undefined;
    const onprogress = ({ progress, total, message }: Progress) => {
      ticks.push([progress, total, message]);
      if (progress === 3) release = host.call('release');
    };
    expect(textOf(await host.call('slow', {}, { onprogress }))).toBe('done');
    await release;
    expect(ticks).toEqual([1, 2, 3].map((progress) => [progress, 3, `step ${progress}`]));
  });

  it('answers an unknown tool with -32602 and the names it lists', async () => {
    const { host } = await start();
    await expect(host.call('nope')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/"nope".*echo, blocks/),
    });
  });

  it.each([
    ['fault', /Server "github" cannot be reached\. Try another tool/],
    ['crash', /toolcrib itself failed while it ran/],
  ])('makes %s a result for the model, without inner details', async (name, message) => {
    const { host } = await start();
    const result = await host.call(name);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(message);
    expect(textOf(result)).not.toMatch(/secret-token| at /);
  });

  it('tells the host when the list has changed in direct mode', async () => {
    const { host, router } = await start('direct');
    expect(host.listChanged).toBe(true);
    await host.listTools();
    const change = () => (router ? router.addTool('added') : process.kill(host.pid as number, 'SIGUSR2'));
    const heard = new Promise<void>((resolve, reject) => host.onListChanged(resolve).catch(reject));
    // Hosts open their stream of notices some time after they have connected, and none tells when.
    const changes = setInterval(change, 100);
    await heard.finally(() => clearInterval(changes));
    expect((await host.listTools()).map(({ name }) => name)).toContain('added');
  });

  it.runIf(kind === 'http' && generation !== 'v1')('reads a long list to its end', async () => {
    const { host, router } = await start('direct');
    for (let i = 0; i < 2_100; i += 1) router?.addTool(`more_${i}`);
    expect(await host.listTools()).toHaveLength(router?.listTools().length ?? 0);
  });

  it.runIf(kind === 'http')('cancels the call when the host does', async () => {
    const { host, router } = await start();
    const abort = new AbortController();
    const call = host.call('hang', {}, { signal: abort.signal, onprogress: () => abort.abort('enough') });
    await expect(call).rejects.toThrow();
    await router?.cancelled;
  });
});

const serverInfo = { name: 'toolcrib', version: '0.0.0' };

function overStdio(generation: Generation, mode: string): Promise<Host> {
  return connectHost(generation, {
    kind: 'stdio',
    command: process.execPath,
    args: ['--import', 'tsx', program, mode],
  });
}
