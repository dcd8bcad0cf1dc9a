import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, Progress } from '../../src/model/index.ts';
import { generations, type Host, textOf } from '../fixtures/hosts/index.ts';
import {
  everything,
  fixtureServer,
  type StartedServer,
  startEverything,
  startFixture,
} from '../fixtures/servers/start.ts';
import { Workspace } from './program.ts';

/**
 * Every kind of host before every kind of server: what comes through is what the server sent, whatever revision either side
 * speaks. The old servers are the reference server of the handshake revisions, the modern ones speak 2026-07-28 alone.
 */
const kinds = ['stdio', 'http'] as const;
const hosts = kinds.flatMap((kind) => generations.map((generation) => [kind, generation] as const));

interface Call {
  tool: string;
  args?: JsonObject;
}

/** The tools of a server that do one thing each. */
interface Tools {
  plain: Call & { text: string };
  progress: Call & { steps: number };
  hang: Call;
  /** How many calls of `hang` were cancelled, where the server can tell. */
  cancelled?: Call;
  ask: Call & { answer: RegExp };
  fail: Call & { text: RegExp };
  image: Call;
  structured: Call & { data: JsonObject };
  link: Call;
}

const old: Tools = {
  plain: { tool: 'echo', args: { message: 'héllo' }, text: 'Echo: héllo' },
  progress: { tool: 'trigger-long-running-operation', args: { duration: 0.3, steps: 3 }, steps: 3 },
  hang: { tool: 'trigger-long-running-operation', args: { duration: 3_600, steps: 2 } },
  ask: { tool: 'trigger-elicitation-request', answer: /Name: Ada/ },
  fail: { tool: 'gzip-file-as-resource', args: { data: 'ftp://example.org/a' }, text: /Unsupported URL protocol/ },
  image: { tool: 'get-tiny-image' },
  structured: {
    tool: 'get-structured-content',
    args: { location: 'Chicago' },
    data: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
  },
  link: { tool: 'get-resource-links', args: { count: 1 } },
};

const modern: Tools = {
  plain: { tool: 'test_simple_text', text: 'This is a simple text response for testing.' },
  progress: { tool: 'test_tool_with_progress', steps: 3 },
  hang: { tool: 'hang' },
  cancelled: { tool: 'cancelled' },
  ask: { tool: 'test_input_required_result_elicitation', answer: /"accept".*"Ada"/ },
  fail: { tool: 'test_error_handling', text: /intentionally returns an error/ },
  image: { tool: 'test_image_content' },
  structured: { tool: 'structured', data: { items: [1, null] } },
  link: { tool: 'linked' },
};

const started: StartedServer[] = [await startEverything(), await startFixture('conformance-server.mjs', 'http')];
afterAll(() => Promise.all(started.map((server) => server.stop())));
const [oldHttp, modernHttp] = started;

const node = (...args: string[]) => ({ command: process.execPath, args });
const mcpServers = {
  old: node(everything, 'stdio'),
  old_http: { url: oldHttp?.url },
  modern: node(fixtureServer('conformance-server.mjs')),
  modern_http: { url: modernHttp?.url },
};
const upstreams = [
  ['old', old],
  ['old_http', old],
  ['modern', modern],
  ['modern_http', modern],
] as const;

describe.each(hosts)('a host over %s, %s', (kind, generation) => {
  let workspace: Workspace;
  let host: Host;

  beforeAll(async () => {
    workspace = await Workspace.create({ mode: 'discovery', mcpServers });
    const reports = await workspace.json<{ state: string }[]>('sync');
    expect(reports.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok']);
    const elicit = () => ({ action: 'accept' as const, content: { name: 'Ada' } });
    ({ host } = await workspace.serve(kind, generation, { elicit }));
  });
  afterAll(() => workspace.remove());

  describe.each(upstreams)('before the server %s', (server, tools) => {
    const call = ({ tool, args = {} }: Call, options: Parameters<Host['call']>[2] = {}) =>
      host.call('call_tool', { name: `${server}__${tool}`, arguments: args }, options);

    it('gets its text', async () => {
      const { content, isError } = await call(tools.plain);
      expect(content).toEqual([{ type: 'text', text: tools.plain.text }]);
      expect(isError).not.toBe(true);
    });

    it('gets its progress, which grows, and then its result', async () => {
      const ticks: Progress[] = [];
      const result = await call(tools.progress, { onprogress: (tick) => void ticks.push(tick) });
      expect(result.isError).not.toBe(true);
      const values = ticks.map(({ progress }) => progress);
      // Hosts on SDK v2 drop a tick that they read together with the result right behind it.
      expect(values.length).toBeGreaterThanOrEqual(tools.progress.steps - 1);
      expect(values.length).toBeLessThanOrEqual(tools.progress.steps);
      expect(values).toEqual([...values].sort((a, b) => a - b));
    });

    it('cancels one call, and no other', async () => {
      const before = tools.cancelled && Number(textOf(await call(tools.cancelled)));
      const controller = new AbortController();
      const hanging = call(tools.hang, { signal: controller.signal }).then(
        () => 'answered',
        () => 'cancelled',
      );
      const beside = await call(tools.plain);
      controller.abort('No longer wanted.');
      expect(await hanging).toBe('cancelled');
      expect(textOf(beside)).toBe(tools.plain.text);
      expect(textOf(await call(tools.plain))).toBe(tools.plain.text);
      const { cancelled } = tools;
      if (cancelled === undefined) return;
      await expect.poll(async () => Number(textOf(await call(cancelled)))).toBe((before ?? 0) + 1);
    });

    it('is asked by it, and the answer comes there', async () => {
      expect(JSON.stringify(await call(tools.ask)).replaceAll('\\"', '"')).toMatch(tools.ask.answer);
    });

    it('gets its errors as such', async () => {
      const result = await call(tools.fail);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(tools.fail.text);
    });

    it('gets its image whole', async () => {
      const { content } = await call(tools.image);
      const image = content.find(({ type }) => type === 'image');
      expect(image).toMatchObject({ mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) });
    });

    it('gets its structured content', async () => {
      const { structuredContent, _meta } = await call(tools.structured);
      expect(structuredContent).toEqual(tools.structured.data);
      expect(_meta ?? {}).not.toHaveProperty(['dev.toolcrib/outputSchema']);
    });
  });

  it.each([
    ['old', 'old_http', old],
    ['modern', 'modern_http', modern],
  ])('reads what %s links to, until %s names the same', async (server, twin, { link: { tool, args = {} } }) => {
    const linkFrom = async (from: string) => {
      const { content } = await host.call('call_tool', { name: `${from}__${tool}`, arguments: args });
      return String(content.find(({ type }) => type === 'resource_link')?.uri);
    };
    const uri = await linkFrom(server);
    expect(await host.readResource(uri)).toMatchObject({ contents: [{ uri }] });
    await expect(host.readResource(`${uri}-other`)).rejects.toMatchObject({ code: -32602 });
    expect(await linkFrom(twin)).toBe(uri);
    await expect(host.readResource(uri)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`${server}, ${twin}`),
    });
  });

  it('has its metadata passed on, but for that of its own connection', async () => {
    const meta = { 'example.org/trace': 't1', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    for (const server of ['modern', 'modern_http']) {
      const result = await host.call('call_tool', { name: `${server}__metadata`, arguments: {} }, { meta });
      expect(JSON.parse(textOf(result))).toMatchObject(meta);
      const own = Object.keys(result._meta ?? {}).filter((key) => key.startsWith('io.modelcontextprotocol/'));
      expect(JSON.stringify(own.map((key) => result._meta?.[key]))).not.toContain('conformance');
    }
  });
});
