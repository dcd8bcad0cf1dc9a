import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeServer, readRecord, temporaryFolder, tool, upstreamOf } from './harness.ts';

/** Reads nothing for a while after "pause", and ends as soon as it has read "once". */
const script = `
const { appendFileSync } = require('node:fs');
const record = (entry) => appendFileSync(process.argv[1], JSON.stringify(entry) + '\\n');
const answer = (id, rest) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
const done = (id) => answer(id, { result: { content: [] } });
const methods = {
  initialize: (id, { protocolVersion }) =>
    answer(id, { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } }),
  'tools/call': (id, { name }) => {
    record({ name });
    if (name === 'once') process.exit(3);
    done(id);
    if (name !== 'pause') return;
    process.stdin.pause();
    setTimeout(() => process.stdin.resume(), 300);
  },
};
let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
    if (methods[method]) methods[method](id, params);
    else if (id !== undefined) answer(id, { error: { code: -32601, message: 'Method not found' } });
  }
});
`;

/** More than the system keeps of what a process has not read yet. */
const large = { text: 'x'.repeat(2 * 1024 * 1024) };

it('a call that was read is not made twice, though it was written together with one that was not', async () => {
  const record = join(await temporaryFolder(), 'record');
  const { upstream } = upstreamOf([nodeServer('slow', ['-e', script, record])]);
  await upstream.call(tool('slow', 'pause'), {});
  const calls = [
    upstream.call(tool('slow', 'first'), large),
    upstream.call(tool('slow', 'once'), {}),
    upstream.call(tool('slow', 'last'), large),
  ];
  const [first, once, last] = await Promise.allSettled(calls);
  expect(first).toMatchObject({ status: 'fulfilled' });
  expect(once).toMatchObject({ reason: { code: 'upstream_lost', details: { mayHaveRun: true } } });
  expect(last).toMatchObject({ status: 'fulfilled' });
  expect(readRecord(record).map(({ name }) => name)).toEqual(['pause', 'first', 'once', 'last']);
});
