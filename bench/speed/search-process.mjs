// Searches a catalog file as a program of its own that has toolcrib as users get it: no loader, and nothing else in memory.
// Gets `{catalog, arm, queries, warmUp, limit}` on standard input and prints the milliseconds of each query as JSON.
import { json } from 'node:stream/consumers';
import { createToolcrib } from 'toolcrib';

const { catalog, arm, queries, warmUp, limit } = await json(process.stdin);
const crib = createToolcrib({ catalog });
await crib.settled();
for (const query of warmUp) await crib.search(query, { arm, limit });
const times = [];
for (const query of queries) {
  const start = performance.now();
  await crib.search(query, { arm, limit });
  times.push(performance.now() - start);
}
await crib.close();
process.stdout.write(JSON.stringify(times));
