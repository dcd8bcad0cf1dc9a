// An MCP host that had a client for each server: now one client, and these two lines. Run it: npm run example mcp-host
import { Client } from '@modelcontextprotocol/client';
import { createToolcrib } from 'toolcrib';
import { mcpServer } from 'toolcrib/mcp';
import { mcpServers } from './servers.ts';

const client = new Client({ name: 'my-host', version: '1.0.0' });

const crib = createToolcrib({ mcpServers, mode: 'discovery' });
await client.connect(mcpServer(crib).transport);

// All else stays as it was.
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name));
await crib.sync();
console.log((await client.callTool({ name: 'search_tools', arguments: { query: 'add a note' } })).content);
const addNote = { name: 'notes__add_note', arguments: { text: 'Buy milk' } };
console.log(addNote, (await client.callTool({ name: 'call_tool', arguments: addNote })).content);

await client.close();
await crib.close();
