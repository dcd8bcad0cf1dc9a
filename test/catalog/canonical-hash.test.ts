import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalHash } from '../../src/catalog/canonical-hash.ts';
import { isJsonObject, type JsonValue } from '../../src/model/index.ts';

describe('canonicalHash', () => {
  it('is the SHA-256 of the RFC 8785 form', () => {
    // printf '{"a":"é","b":[1,2.5,null,true]}' | sha256sum
    expect(canonicalHash({ b: [1.0, 2.5, null, true], a: 'é' })).toBe(
      '0c187fb652afca8017b5ef38178eeef09a9dfef844316f80ba4207cdf1995ee5',
    );
  });

  it.each<[JsonValue, JsonValue]>([
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { a: 1, b: null }],
    [
      [1, 2],
      [2, 1],
    ],
    ['é', 'e\u0301'],
    [{}, []],
    [JSON.parse('{"__proto__":{"a":1}}'), {}],
  ])('tells %j from %j', (one, other) => {
    expect(canonicalHash(one)).not.toBe(canonicalHash(other));
  });

  it('is that of the library for any JSON, also with numbers for keys', () => {
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        fc.jsonValue() as fc.Arbitrary<JsonValue>,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.oneof(fc.nat(20).map(String), fc.constantFrom('a', '-1', '1.5', '01', '__proto__')),
          tie('value'),
        ),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => {
        expect(canonicalHash(json)).toBe(libraryHash(json));
      }),
    );
  });

  it.each<[string, JsonValue]>([
    ['long texts', { plain: 'a'.repeat(100_000), escaped: '"'.repeat(200_000), wide: '語'.repeat(2_000_000), end: 1 }],
    ['many keys', Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${(index * 7) % 50}`, index]))],
    ['odd texts', ['\u0000\u001f', '\u007f', 'tab\t', 'back\\slash', '😀', '\ud83d', '\u2028']],
  ])('is that of the library for %s', (_, value) => {
    expect(canonicalHash(value)).toBe(libraryHash(value));
    expect(canonicalHash({ after: 'it' })).toBe(libraryHash({ after: 'it' }));
  });

  it('does not depend on the order of keys at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalHash(reversed(value as JsonValue))).toBe(canonicalHash(value as JsonValue));
      }),
    );
  });
});

function libraryHash(value: JsonValue): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  );
}
