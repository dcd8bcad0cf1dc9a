import { fileURLToPath } from 'node:url';

/** The MCP servers of the examples, as any host's config has them. */
export const mcpServers = {
  notes: { command: process.execPath, args: [fileURLToPath(new URL('notes-server.mjs', import.meta.url))] },
};
