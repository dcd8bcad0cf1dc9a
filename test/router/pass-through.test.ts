import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { passThrough } from '../../src/router/pass-through.ts';

describe('passThrough', () => {
  it('cleans text blocks and drops metadata of the hop, nothing else', () => {
    const result = passThrough({
      content: [
        { type: 'text', text: '\u001b[31mred\u001b[0m\n\tdone\u0007', 'x-own': 1 },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a', text: '\u001b[1mraw' } },
      ],
      structuredContent: [1, '\u001b[31m'],
      isError: true,
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x' }, 'example.org/cost': 3 },
    });
    expect(result).toEqual({
      content: [
        { type: 'text', text: 'red\n\tdone', 'x-own': 1 },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a', text: 'raw' } },
      ],
      structuredContent: [1, '\u001b[31m'],
      isError: true,
      _meta: { 'example.org/cost': 3 },
    });
  });

  it('drops metadata in the name of toolcrib and of the protocol, at every level', () => {
    const _meta = { 'dev.toolcrib/error': { code: 'x' }, 'io.modelcontextprotocol/x': 1, 'example.org/cost': 3 };
    const kept = { 'example.org/cost': 3 };
    const result = passThrough({
      content: [
        { type: 'text', text: 'a', _meta },
        { type: 'image', data: 'aGk=', mimeType: 'image/png', _meta: { 'dev.toolcrib/hits': [] } },
        { type: 'resource', resource: { uri: 'file:///a', blob: 'aGk=', _meta }, _meta },
      ],
      _meta,
    });
    expect(result).toEqual({
      content: [
        { type: 'text', text: 'a', _meta: kept },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a', blob: 'aGk=', _meta: kept }, _meta: kept },
      ],
      _meta: kept,
    });
  });

  it('cleans the words of resource links, not what leads to them', () => {
    const dirty = '\u001b[31mred\u0007';
    const link = { type: 'resource_link', uri: dirty, mimeType: dirty, size: 1 };
    const { content } = passThrough({ content: [{ ...link, name: dirty, title: dirty, description: dirty }] });
    expect(content).toEqual([{ ...link, name: 'red', title: 'red', description: 'red' }]);
  });

  it('leaves any other result as it is', () => {
    const block = fc
      .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
      .filter(({ type }) => type !== 'text');
    fc.assert(
      fc.property(fc.array(block), fc.jsonValue(), (content, structuredContent) => {
        const result = { content: content as JsonObject[], structuredContent: structuredContent as JsonObject };
        expect(passThrough(result)).toEqual(result);
      }),
    );
  });
});
