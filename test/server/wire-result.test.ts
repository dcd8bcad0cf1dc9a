import { isSpecType, Server } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallToolResult, JsonObject, JsonValue } from '../../src/model/index.ts';
import { thirdPartyMeta, toWireResult, type WireContext } from '../../src/server/wire-result.ts';
import { knownBlocks } from './fake-router.ts';

const server = new Server({ name: 't', version: '0' }, {});
const [modern, legacy]: WireContext[] = [
  { era: 'modern', server },
  { era: 'legacy', server },
] as [WireContext, WireContext];

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const anyObject = fc.dictionary(fc.string(), json) as fc.Arbitrary<JsonObject>;
/** Objects that are nearly blocks are what servers get wrong. */
const nearBlock = fc.record(
  {
    type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'other'),
    text: json,
    data: json,
    mimeType: json,
    uri: json,
    name: json,
    resource: fc.oneof(json, fc.record({ uri: fc.string(), text: fc.string() })),
    annotations: json,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

describe('toWireResult', () => {
  it('makes any result one that the SDK accepts, and changes no block that it accepts already', () => {
    const content = fc.array(fc.oneof(anyObject, nearBlock, fc.constantFrom(...knownBlocks)));
    fc.assert(
      fc.property(content, fc.constantFrom(modern, legacy), (blocks, context) => {
        const wire = toWireResult({ content: blocks }, context as WireContext);
        expect(isSpecType.CallToolResult(wire)).toBe(true);
        expect(wire.content).toHaveLength(blocks.length);
        for (const [index, block] of blocks.entries()) {
          const isGood = isSpecType.ContentBlock(block);
          expect(wire.content[index]).toEqual(isGood ? block : { type: 'text', text: JSON.stringify(block) });
        }
      }),
    );
  });

  const list: JsonValue = [1, { a: null }];
  it.each<[string, WireContext | undefined, JsonValue, Partial<CallToolResult>]>([
    ['a list, now', modern, list, { structuredContent: list, content: [] }],
    ['a list, before', legacy, list, { content: [{ type: 'text', text: '[1,{"a":null}]' }] }],
    ['null, now', modern, null, { structuredContent: null, content: [] }],
    ['null, before', legacy, null, { content: [{ type: 'text', text: 'null' }] }],
    ['an object, now', modern, { a: 1 }, { structuredContent: { a: 1 }, content: [] }],
    ['an object, before', legacy, { a: 1 }, { structuredContent: { a: 1 }, content: [] }],
  ])('structured content: %s', (_, context, structuredContent, expected) => {
    expect(toWireResult({ content: [], structuredContent }, context as WireContext)).toEqual(expected);
  });

  it('does not say the same text twice', () => {
    const content = [{ type: 'text', text: '[1]' }];
    expect(toWireResult({ content, structuredContent: [1] }, legacy as WireContext)).toEqual({ content });
  });

  it('keeps isError, third-party metadata and keys it does not know', () => {
    const result = { content: [], isError: true, _meta: { 'a.org/b': 1, 'io.modelcontextprotocol/x': 2 }, extra: 3 };
    expect(toWireResult(result, modern as WireContext)).toEqual({ ...result, _meta: { 'a.org/b': 1 } });
  });
});

describe('thirdPartyMeta', () => {
  it('leaves out what belongs to one connection', () => {
    const meta = { progressToken: 7, traceparent: '00-1', 'io.modelcontextprotocol/clientInfo': {}, 'a.org/b': [] };
    expect(thirdPartyMeta(meta)).toEqual({ traceparent: '00-1', 'a.org/b': [] });
    expect(thirdPartyMeta(undefined)).toEqual({});
  });
});
