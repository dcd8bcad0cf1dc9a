import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
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

describe('one sloppy definition does not make a host refuse the list', () => {
  const base = { name: 'echo', description: 'Echoes.', inputSchema: { type: 'object' } };

  it.each<[string, JsonObject]>([
    ['null fields', { title: null, annotations: null, outputSchema: null, _meta: null, icons: null }],
    ['a null hint', { annotations: { destructiveHint: null, readOnlyHint: true } }],
    ['a hint in words', { annotations: { readOnlyHint: 'yes', title: 5 } }],
    ['a number as title', { title: 5 }],
    ['icons as text', { icons: 'x' }],
    ['icons without a usable source', { icons: [{ src: 5 }, 'x', { src: 'a.png', sizes: '48x48', theme: 'blue' }] }],
    ['a list as metadata', { _meta: [1] }],
    ['an output schema that is true', { outputSchema: true }],
    ['an output schema of a list', { outputSchema: { type: 'array' } }],
    ['boolean output properties', { outputSchema: { type: 'object', properties: { a: true, b: false } } }],
    ['boolean input properties', { inputSchema: { type: 'object', properties: { a: true } } }],
  ])('%s', (_case, fields) => {
    const listing = toolListing(makeTool({ ...base, ...fields }));
    expect(ListToolsResultSchema.safeParse({ tools: [listing] }).error).toBeUndefined();
  });

  it('keeps what is right beside what is wrong', () => {
    const listing = toolListing(
      makeTool({
        ...base,
        annotations: { readOnlyHint: true, title: 5, own: 1 },
        icons: [{ src: 'a.png', theme: 'blue' }],
      }),
    );
    expect(listing).toMatchObject({ annotations: { readOnlyHint: true, own: 1 }, icons: [{ src: 'a.png' }] });
    expect(listing.annotations).not.toHaveProperty('title');
  });
});
