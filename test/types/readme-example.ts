import { createToolcrib } from 'toolcrib';

const crib = createToolcrib({
  mcpServers: {
    memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  },
  catalog: './catalog.sqlite',
});
await crib.sync(); // lists every server; later starts answer from the catalog on disk

const tools = crib.tools(); // the tool array for your model: stable bytes
const found = await crib.search('remember a fact about a person', { limit: 3 });
console.log(tools.length, found.hits[0]?.signature);

// Whatever tool call the model makes goes here; faults come back as results it can act on.
const result = await crib.call('call_tool', {
  name: 'memory__read_graph',
  arguments: {},
});
console.log(result.content);

await crib.close();
