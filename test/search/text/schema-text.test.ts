import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { schemaText } from '../../../src/search/text/schema-text.ts';

describe('schemaText', () => {
  it('reads names, descriptions and enums wherever a schema may hold them', () => {
    const schema: JsonObject = {
      type: 'object',
      description: 'root',
      properties: {
        state: { type: 'string', description: 'which ones', enum: ['open', 'closed', 3] },
        filters: { type: 'array', items: { type: 'object', properties: { label: { type: 'string' } } } },
        target: { oneOf: [{ properties: { userId: {} } }, { properties: { teamId: {} } }] },
      },
      $defs: { Money: { properties: { currency: { description: 'ISO 4217' } } } },
    };
    const text = schemaText(schema).split(' ');
    for (const word of ['state', 'which', 'open', 'closed', 'label', 'userId', 'teamId', 'currency', '4217']) {
      expect(text).toContain(word);
    }
    expect(text).not.toContain('root');
    expect(text).not.toContain('Money');
  });

  it('stops at a depth, so that deep schemas cost nothing', () => {
    let schema: JsonObject = { properties: { innermost: {} } };
    for (let depth = 0; depth < 50; depth++) schema = { properties: { [`level${depth}`]: schema } };
    const text = schemaText(schema);
    expect(text).toContain('level49');
    expect(text).not.toContain('innermost');
  });

  it('cuts monstrous schemas to a fixed size and keeps the outermost names', () => {
    const nested = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`inner${index}`, {}]));
    const text = schemaText({ properties: { big: { properties: nested }, last: { description: 'x'.repeat(10_000) } } });
    expect(text.length).toBeLessThanOrEqual(6_000);
    expect(text.startsWith('big last')).toBe(true);
  });

  it.each([
    ['null', { properties: null }],
    ['arrays', { properties: [], oneOf: {}, items: [1, 'a'] }],
    ['strings', { properties: { a: 'text', b: true, c: null }, enum: 'x' }],
  ] as [string, JsonObject][])('survives %s where schemas belong', (_, schema) => {
    expect(typeof schemaText(schema)).toBe('string');
  });
});
