import fc from 'fast-check';
import { createToolcrib } from '../../../src/index.ts';
import type { JsonObject, JsonValue } from '../../../src/model/index.ts';
import { fixtureServer } from '../../fixtures/servers/start.ts';
import { mutated, texts, values } from '../mutations.ts';
import type { FuzzTarget } from '../target.ts';
import { mustBeWellFormed } from '../well-formed.ts';

const inputSchema = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1, pattern: '^[a-z]' },
    count: { type: 'integer', minimum: 0 },
    kind: { enum: ['bug', 'task', 3, null] },
    when: { type: 'string', format: 'date-time' },
    tree: { $ref: '#/$defs/tree' },
    either: {
      oneOf: [
        { type: 'object', required: ['a'] },
        { type: 'array', items: { type: 'number' } },
      ],
    },
    name: { type: 'string' },
  },
  required: ['text'],
  additionalProperties: false,
  $defs: {
    tree: { type: 'object', properties: { value: {}, children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
  },
} as const;

const good: JsonValue = {
  text: 'abc',
  count: 3,
  kind: 'bug',
  when: '2026-07-28T00:00:00Z',
  tree: { value: 1, children: [{ value: [2], children: [] }] },
  either: [1, 2],
  name: 's__echo',
};

const callShapes = (args: JsonValue): JsonValue[] => [
  { name: 's__echo', arguments: args },
  { name: 'echo', args },
  { arguments: { name: 'echo', arguments: args } },
  { name: 'echo', ...(args as JsonObject) },
];

interface Call {
  tool: string;
  input: JsonValue;
}

const inputs = mutated(
  fc.oneof(
    fc.constant(good),
    fc.constantFrom(...callShapes(good)),
    fc.constant<JsonValue>({ query: 'echo', limit: 3 }),
  ),
  6,
);
const cases: fc.Arbitrary<Call> = fc.record({
  tool: fc.oneof(
    fc.constantFrom('call_tool', 's__echo', 'echo', 'search_tools', 'describe_tool', 'toolcrib__read_result'),
    texts,
  ),
  input: fc.oneof({ weight: 4, arbitrary: inputs }, values),
});

/** Arguments of models: whatever shape they come in, the answer is a result that can be read. */
export async function argumentsTarget(): Promise<FuzzTarget<Call>> {
  const tools = [
    { name: 'echo', description: 'Says the arguments back.', inputSchema },
    { name: 'pid', description: 'Tells the process.', inputSchema: { type: 'object' } },
  ];
  const args = [fixtureServer('raw-server.mjs'), JSON.stringify({ tools })];
  const crib = createToolcrib({ embedding: 'none', mcpServers: { s: { command: process.execPath, args } } });
  await crib.sync();
  return {
    name: 'arguments',
    cases,
    run: async ({ tool, input }) => mustBeWellFormed(await crib.call(tool, input)),
    close: () => crib.close(),
  };
}
