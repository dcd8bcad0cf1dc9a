// What the overhead of a call is measured on: a server that answers at once, over stdio, on the SDK's own entry point.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

serveStdio(() => {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [{ name: 'echo', description: 'Says the text back.', inputSchema }],
  }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: String(params.arguments?.text) }],
  }));
  return server;
});
