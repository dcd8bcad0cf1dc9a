// A small MCP server for the examples: it keeps notes as long as it runs.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const notes = [];
const said = (text) => ({ content: [{ type: 'text', text }] });

serveStdio(() => {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const add = {
    description: 'Adds a note to the notebook.',
    inputSchema: z.object({ text: z.string().describe('What to remember') }),
  };
  server.registerTool('add_note', add, ({ text }) => {
    notes.push(text);
    return said(`Note ${notes.length} added.`);
  });
  const list = {
    description: 'Lists all notes of the notebook.',
    inputSchema: z.object({}),
    annotations: { readOnlyHint: true },
  };
  server.registerTool('list_notes', list, () => said(notes.join('\n')));
  return server;
});
