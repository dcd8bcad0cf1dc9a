import fc from 'fast-check';
import { createToolcrib } from '../../../src/index.ts';
import type { JsonValue } from '../../../src/model/index.ts';
import { fixtureServer } from '../../fixtures/servers/start.ts';
import { mutated, mutatedText } from '../mutations.ts';
import type { FuzzTarget } from '../target.ts';
import { mustBeWellFormed } from '../well-formed.ts';

const results: JsonValue[] = [
  { content: [{ type: 'text', text: 'hello', annotations: { audience: ['user'], priority: 1 } }] },
  { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], isError: true, _meta: { 'example.org/a': 1 } },
  { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }], structuredContent: { rows: [1, { a: null }] } },
  { content: [{ type: 'resource', resource: { uri: 'file:///b', text: 'b' } }], resultType: 'complete' },
  { content: [], structuredContent: [], resultType: 'input_required', inputRequests: { q: { method: 'roots/list' } } },
];
const errors: JsonValue[] = [{ code: -32602, message: 'Unknown tool: x', data: { stack: 'at f (/a/b.js:1:1)' } }];

/** The server puts the id of the call in for "ID". */
const answerLine = (part: 'result' | 'error') => (value: JsonValue) =>
  JSON.stringify({ jsonrpc: '2.0', id: 'ID', [part]: value });
const lines = fc.oneof(
  { weight: 6, arbitrary: mutated(fc.constantFrom(...results), 5).map(answerLine('result')) },
  { weight: 2, arbitrary: mutated(fc.constantFrom(...errors), 5).map(answerLine('error')) },
  { weight: 1, arbitrary: mutatedText(fc.constantFrom(...results).map(answerLine('result'))) },
);

/** An answer that never comes is told soon. */
const timeoutMs = 300;

/** Answers of servers: whatever they are, the caller gets a result, and the server stays in use. */
export async function answersTarget(): Promise<FuzzTarget<string>> {
  const args = [fixtureServer('raw-server.mjs'), JSON.stringify({ tools: [tool('answer'), tool('pid')] })];
  const crib = createToolcrib({
    embedding: 'none',
    mcpServers: { s: { command: process.execPath, args, timeoutMs } },
  });
  await crib.sync();
  const run = async (line: string) => {
    mustBeWellFormed(await crib.call('s__answer', { line: line.replaceAll('\n', ' ') }));
    mustBeWellFormed(await crib.call('s__pid'));
  };
  return { name: 'answers', cases: lines, run, close: () => crib.close() };
}

function tool(name: string): JsonValue {
  return { name, description: 'Answers.', inputSchema: { type: 'object' } };
}
