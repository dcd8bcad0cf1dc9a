import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultParts, resultText, textOnly } from '../../src/host/result-parts.ts';
import type { JsonObject } from '../../src/model/index.ts';

const all = { images: true, files: true };
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = (data: unknown, mimeType = 'image/png') => ({ type: 'image', data, mimeType }) as JsonObject;
const partOf = (block: JsonObject) => resultParts({ content: [block] }, all)[0];

describe('media', () => {
  it('is what it holds, whatever it is called', () => {
    expect(partOf(image(png, 'image/jpg'))).toEqual({ kind: 'image', data: png, mimeType: 'image/png' });
    expect(partOf(image('/9j/AAAA', 'image/png'))).toMatchObject({ kind: 'image', mimeType: 'image/jpeg' });
    expect(partOf(image(png.replace(/(.{20})/g, '$1\r\n')))).toEqual({
      kind: 'image',
      data: png,
      mimeType: 'image/png',
    });
  });

  it.each<[string, unknown]>([
    ['no base64', 'iVBORw0KGgo not base64!'],
    ['base64 that is cut', png.slice(0, -1)],
    ['an SVG', 'PHN2Zy8+'],
    ['a sound', 'UklGRiQAAABXQVZFAAAA'],
    ['too large', `/9j/${'A'.repeat(6 * 1024 * 1024)}`],
    ['nothing', ''],
    ['a number', 7],
  ])('that is %s is named in words, or the API would refuse the conversation', (_, data) => {
    expect(partOf(image(data))).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/^\[image content, image\/png/),
    });
  });
});

it('text holds no halves of characters, and is never blank', () => {
  expect(resultText({ content: [{ type: 'text', text: 'half \ud83d of 😀' }] })).toBe('half \ufffd of 😀');
  expect(resultText({ content: [{ type: 'text', text: ' \n' }] })).toBe('The tool ran and returned nothing.');
});

it('whatever a server gives, there are parts that a provider takes', () => {
  const word = fc.string({ unit: 'binary' });
  const block = fc.oneof(
    fc.record({
      type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'x'),
      text: word,
      data: word,
      mimeType: word,
    }),
    fc.record({
      type: fc.constant('resource'),
      resource: fc.dictionary(fc.constantFrom('uri', 'text', 'blob'), fc.jsonValue()),
    }),
    fc.dictionary(fc.constantFrom('type', 'text', 'data', 'uri', 'name'), fc.jsonValue()),
  );
  fc.assert(
    fc.property(fc.array(block), fc.option(fc.jsonValue(), { nil: undefined }), (content, structuredContent) => {
      const result = { content, ...(structuredContent === undefined ? {} : { structuredContent }) } as never;
      for (const accepted of [all, textOnly]) {
        const parts = resultParts(result, accepted);
        expect(parts.length).toBeGreaterThan(0);
        for (const part of parts) {
          if (part.kind !== 'text') continue;
          expect(part.text.trim()).not.toBe('');
          expect(part.text).not.toMatch(/\p{Surrogate}/u);
        }
      }
    }),
  );
});
