import { Client } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { mcpServer } from '../../src/app/mcp.ts';
import type { Toolcrib } from '../../src/index.ts';
import { blocksServer, create, filled } from './set-up.ts';

const host = { name: 'host', version: '1' };

async function connect(crib: Toolcrib) {
  const client = new Client(host);
  const serving = mcpServer(crib);
  await client.connect(serving.transport);
  return { client, serving };
}

describe('an MCP client in the same process', () => {
  it('lists and calls, with the SDK as it is now', async () => {
    const crib = create({ mcpServers: { blocks: blocksServer } });
    await crib.sync();
    const { client } = await connect(crib);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'search_tools',
      'describe_tool',
      'call_tool',
    ]);
    const result = await client.callTool({ name: 'call_tool', arguments: { name: 'blocks__picture' } });
    expect(result.content).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png' }]);
    await client.close();
  });

  it('lists, calls and is asked, with the SDK before it', async () => {
    const crib = create({
      mcpServers: { blocks: blocksServer },
      policy: [{ action: 'ask' }],
    });
    await crib.sync();
    const client = new OldClient(host, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { approval: 'once' } };
    });
    await client.connect(mcpServer(crib).transport as OldTransport);
    const result = await client.callTool({ name: 'call_tool', arguments: { name: 'blocks__structured' } });
    expect(result.content).toMatchObject([{ type: 'text', text: '2 found' }]);
    expect(asked).toEqual([expect.stringContaining('Tool: structured')]);
    await client.close();
  });

  it('lets the program decide where it says so', async () => {
    const asked: string[] = [];
    const crib = create({
      mcpServers: { blocks: blocksServer },
      policy: [{ action: 'ask' }],
      onApproval: async ({ name }) => {
        asked.push(name);
        return true;
      },
    });
    await crib.sync();
    const { client } = await connect(crib);
    const result = await client.callTool({ name: 'call_tool', arguments: { name: 'blocks__structured' } });
    expect(result.isError ?? false).toBe(false);
    expect(asked).toEqual(['blocks__structured']);
    await client.close();
  });

  it('leaves the toolcrib open when it goes, and others connected', async () => {
    const crib = filled();
    const [first, second] = [await connect(crib), await connect(crib)];
    await first.client.close();
    await first.serving.closed;
    expect((await second.client.listTools()).tools).toHaveLength(3);
    expect(crib.tools()).toHaveLength(3);
    await second.serving.close();
    await second.serving.closed;
  });

  it('ends with the toolcrib', async () => {
    const crib = filled();
    const { client, serving } = await connect(crib);
    const left = new Promise<void>((gone) => {
      client.onclose = gone;
    });
    await crib.close();
    await serving.closed;
    await left;
    await expect(client.listTools()).rejects.toThrow();
  });

  it('can change nothing of what the toolcrib holds', async () => {
    const crib = filled();
    const before = JSON.stringify(crib.tools());
    const { client } = await connect(crib);
    for (const tool of (await client.listTools()).tools) tool.description = 'mine';
    expect(JSON.stringify(crib.tools())).toBe(before);
    await client.close();
  });

  it('is told of changes of the list in direct mode', async () => {
    const crib = filled({ mode: 'direct' });
    const { client } = await connect(crib);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('notes__read_note');
    crib.ingest('more', [{ name: 'later', inputSchema: { type: 'object' } }]);
    await expect
      .poll(async () => (await client.listTools()).tools.map(({ name }) => name), { timeout: 10_000 })
      .toContain('more__later');
    await client.close();
  });
});

it('takes nothing but a toolcrib', async () => {
  const crib = filled();
  expect(() => mcpServer({ ...crib } as Toolcrib)).toThrow(expect.objectContaining({ code: 'usage_invalid' }));
  await crib.close();
  expect(() => mcpServer(crib)).toThrow(expect.objectContaining({ code: 'closed' }));
});
