import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolcrib } from '../../src/index.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { fixtureServer } from '../fixtures/servers/start.ts';
import { readRecord, temporaryFolder } from '../upstream/harness.ts';

/** A toolcrib over one server that lists these tools, each answering with what it was given. */
async function cribWith(tools: JsonObject[]) {
  const record = join(await temporaryFolder(), 'record');
  const args = [fixtureServer('raw-server.mjs'), JSON.stringify({ tools, record })];
  const crib = createToolcrib({
    embedding: 'none',
    mode: 'discovery',
    mcpServers: { s: { command: process.execPath, args } },
  });
  onTestFinished(() => crib.close());
  const [report] = await crib.sync();
  expect(report).toMatchObject({ state: 'ok' });
  const calls = () => readRecord(record).filter(({ method }) => method === 'tools/call').length;
  return { crib, calls };
}

function nested(levels: number): JsonObject {
  let schema: JsonObject = { type: 'string', description: 'at the very bottom' };
  for (let level = 0; level < levels; level += 1) schema = { type: 'object', properties: { inner: schema } };
  return schema;
}

/** Somebody who counts who comes by. */
async function trap() {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(String(request.url));
    response.end(JSON.stringify({ type: 'string' }));
  });
  server.on('connection', () => visits.push('connection'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits };
}

describe('a schema', () => {
  it('that recurses without end is searched, described and called', async () => {
    const inputSchema = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      required: ['node'],
      $defs: {
        node: {
          type: 'object',
          properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        },
        loop: { $ref: '#/$defs/loop' },
      },
    };
    const { crib, calls } = await cribWith([{ name: 'echo', description: 'Walks a tree.', inputSchema }]);
    expect((await crib.search('walk a tree')).hits[0]?.name).toBe('s__echo');
    expect(crib.describe('echo').text).toContain('node');
    const fits = { node: { name: 'root', children: [{ name: 'leaf', children: [] }] } };
    expect((await crib.call('echo', fits)).isError).not.toBe(true);
    const wrong = { node: { name: 'root', children: [{ name: 7 }] } };
    expect((await crib.call('echo', wrong)).isError).toBe(true);
    expect(calls()).toBe(1);
  });

  it('of 2,000 levels is set aside with the reason, and hides nothing else', async () => {
    const tools = [
      { name: 'echo', description: 'Goes deep.', inputSchema: { type: 'object', properties: { root: nested(2_000) } } },
      { name: 'pid', description: 'Stays flat.', inputSchema: { type: 'object' } },
    ];
    const { crib, calls } = await cribWith(tools as JsonObject[]);
    expect(crib.listTools()).toMatchObject([
      { tool: 'echo', status: 'set_aside', problem: expect.stringContaining('nested more than') },
      { tool: 'pid', status: 'ok' },
    ]);
    expect((await crib.search('stays flat')).hits[0]?.name).toBe('s__pid');
    expect(crib.describe('echo').text.length).toBeLessThan(30_000);
    expect((await crib.call('echo', { root: {} })).isError).toBe(true);
    expect(calls()).toBe(0);
  });

  it.each([
    ['^(a+)+$', `${'a'.repeat(5_000)}!`],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(5_000)],
    ['(x+x+)+y', 'x'.repeat(5_000)],
  ])(
    'with the pattern %s ends in bounded time, and blocks nobody for long',
    async (pattern, value) => {
      const inputSchema = { type: 'object', properties: { text: { type: 'string', pattern } }, required: ['text'] };
      const { crib } = await cribWith([{ name: 'echo', description: 'Matches.', inputSchema }]);
      const result = await crib.call('echo', { text: value });
      expect(Array.isArray(result.content)).toBe(true);
      expect((await crib.call('echo', { text: value })).content).toEqual(result.content);
    },
    30_000,
  );

  it('that leads to the network is never fetched, wherever it stands', async () => {
    const { url, visits } = await trap();
    const away = { $ref: `${url}/schema.json` };
    const tools = [
      { name: 'echo', description: 'Takes a thing.', inputSchema: { type: 'object', properties: { text: away } } },
      { name: 'pid', description: 'Gives a thing.', inputSchema: { type: 'object' }, outputSchema: away },
      { name: 'result', description: 'As a whole.', inputSchema: { ...away, type: 'object' } },
      {
        name: 'fail',
        description: 'By its dialect.',
        inputSchema: {
          $schema: `${url}/dialect`,
          $id: `${url}/id`,
          type: 'object',
          properties: { a: { $dynamicRef: `${url}#x` } },
        },
        icons: [{ src: `${url}/icon.png` }],
      },
    ];
    const { crib } = await cribWith(tools as JsonObject[]);
    for (const { name, description } of tools) {
      await crib.search(description);
      expect(crib.describe(name).text).toContain(name);
      await crib.call(name, { text: 'x', raw: { content: [] }, error: { code: -32000, message: 'no' } });
    }
    await crib.settled();
    expect(visits).toEqual([]);
  });
});
