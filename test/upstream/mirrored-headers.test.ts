import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { headerProblem } from '../../src/upstream/mirrored-headers.ts';

const header = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name }) as JsonObject;
const schema = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('headerProblem', () => {
  it.each([
    { name: 'none', inputSchema: schema({ a: { type: 'string' } }), problem: undefined },
    { name: 'in order', inputSchema: schema({ a: header('Region'), b: header('N', 'integer') }), problem: undefined },
    { name: 'nested', inputSchema: schema({ a: schema({ b: header('Region') }) }), problem: undefined },
    {
      name: 'a property of that name',
      inputSchema: schema({ 'x-mcp-header': { type: 'number' } }),
      problem: undefined,
    },
    { name: 'in an example', inputSchema: { ...schema({}), examples: [header('a b')] }, problem: undefined },
    { name: 'not a name', inputSchema: schema({ a: header('a b') }), problem: 'no header name' },
    { name: 'not a text', inputSchema: schema({ a: header(1) }), problem: 'no header name' },
    { name: 'a number', inputSchema: schema({ a: header('N', 'number') }), problem: 'no string' },
    { name: 'twice', inputSchema: schema({ a: header('X'), b: header('x') }), problem: 'twice' },
    { name: 'at the root', inputSchema: { ...schema({}), ...header('X') }, problem: 'reachable' },
    { name: 'in items', inputSchema: schema({ a: { type: 'array', items: header('X') } }), problem: 'reachable' },
    { name: 'below items', inputSchema: schema({ a: { items: schema({ b: header('X') }) } }), problem: 'reachable' },
    { name: 'in a definition', inputSchema: { ...schema({}), $defs: { a: header('X') } }, problem: 'reachable' },
    { name: 'in a branch', inputSchema: { anyOf: [schema({ b: header('X') })] }, problem: 'reachable' },
  ])('$name', ({ inputSchema, problem }) => {
    const found = headerProblem({ name: 'tool', inputSchema });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  it.each([null, 'text', {}, { inputSchema: true }])('has nothing to say of %j', (rawTool) => {
    expect(headerProblem(rawTool)).toBeUndefined();
  });
});
