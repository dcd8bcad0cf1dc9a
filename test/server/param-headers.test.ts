import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { paramHeaderProblem } from '../../src/server/param-headers.ts';

const inputSchema: JsonObject = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    size: { type: 'integer', 'x-mcp-header': 'Size' },
    deep: { type: 'object', properties: { on: { type: 'boolean', 'x-mcp-header': 'On' } } },
    plain: { type: 'string' },
  },
};
const tools = [{ name: 'go', description: '', inputSchema }];

function problem(args: JsonObject, headers: Record<string, string>, name = 'go', method = 'tools/call') {
  return paramHeaderProblem({ method, params: { name, arguments: args } }, headers, tools);
}

describe('paramHeaderProblem', () => {
  it.each<[string, JsonObject, Record<string, string>]>([
    ['equal values', { region: 'eu', size: 4, deep: { on: true } }, h({ region: 'eu', size: '4', on: 'true' })],
    ['equal numbers', { size: 42 }, h({ size: '42.0' })],
    ['Base64', { region: 'Zürich' }, h({ region: '=?base64?WsO8cmljaA==?=' })],
    ['what only looks like Base64', { region: '=?base64?SGVsbG8=' }, h({ region: '=?base64?SGVsbG8=' })],
    ['arguments that are not there', { region: null, plain: 'x' }, h({ size: '4' })],
    ['values that no header holds', { region: { a: 1 } }, {}],
    ['integers that are too large for a header', { size: 2 ** 60 }, {}],
  ])('takes %s', (_what, args, headers) => {
    expect(problem(args, headers)).toBeUndefined();
  });

  it.each<[string, JsonObject, Record<string, string>, string]>([
    ['missing', { region: 'eu' }, {}, 'Mcp-Param-Region is missing'],
    ['another value', { deep: { on: true } }, h({ on: 'false' }), 'Mcp-Param-On says something else'],
    ['bad padding', { region: 'Hello' }, h({ region: '=?base64?SGVsbG8?=' }), 'not valid Base64'],
    ['foreign characters', { region: 'Hello' }, h({ region: '=?base64?SGVs!!!bG8=?=' }), 'not valid Base64'],
  ])('refuses a header that is %s', (_what, args, headers, words) => {
    expect(problem(args, headers)).toContain(words);
  });

  it('leaves other requests and tools alone', () => {
    expect(problem({ region: 'eu' }, {}, 'other')).toBeUndefined();
    expect(problem({ region: 'eu' }, {}, 'go', 'tools/list')).toBeUndefined();
    for (const message of [null, [], 'tools/call', { method: 'tools/call' }, { method: 'tools/call', params: {} }]) {
      expect(paramHeaderProblem(message, {}, tools)).toBeUndefined();
    }
  });
});

/** As Node gives headers: in lower case. */
function h(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`mcp-param-${name}`, value]));
}
