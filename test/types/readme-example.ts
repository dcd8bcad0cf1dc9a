import { createToolcrib } from 'toolcrib';

const crib = createToolcrib({
  mcpServers: {
    memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  },
  catalog: './catalog.sqlite',
});
await crib.sync(); // lists every server; later starts answer from the catalog on disk
await crib.settled(); // until the vectors are there, search goes by keywords alone

const tools = crib.tools(); // for your model: every tool while they are few, else the three meta-tools
const found = await crib.search('remember a fact about a person', { limit: 3 });
console.log(tools.length, found.hits[0]?.signature);

// Whatever tool call the model makes goes here; faults come back as results it can act on.
const result = await crib.call('call_tool', {
  name: 'memory__read_graph',
  arguments: {},
});
console.log(result.content);

await crib.close();
