import { expect, it } from 'vitest';
import { toolListing } from '../../src/render/index.ts';
import { makeTool } from './make-tool.ts';

it('passes a definition on under the exposed name, schemas and unknown keys untouched, keys in their order', () => {
  const definition = {
    title: 'Echo',
    name: 'echo',
    inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: {} }, 'x-own': 1 },
    outputSchema: { type: 'object' },
    execution: { taskSupport: 'optional' },
    id: 'vendor-key',
    description: 'Echoes.',
  };
  const { execution: _execution, ...rest } = definition;
  expect(JSON.stringify(toolListing(makeTool(definition)))).toBe(JSON.stringify({ ...rest, name: 'srv__echo' }));
});
