import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../src/upstream/line-splitter.ts';

describe('LineSplitter', () => {
  it('gives the same lines however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(200)), fc.constantFrom('\n', '\r\n'), (lines, cuts, end) => {
        const bytes = Buffer.from(lines.map((text) => `${text}${end}`).join(''));
        const splitter = new LineSplitter(1_000_000);
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const found = edges.slice(1).flatMap((edge, i) => splitter.push(bytes.subarray(edges[i], edge)));
        expect(found).toEqual(lines);
      }),
    );
  });

  it('keeps what has no line end yet', () => {
    const splitter = new LineSplitter(100);
    expect(splitter.push(Buffer.from('a\nbc'))).toEqual(['a']);
    expect(splitter.rest()).toBe('bc');
    expect(splitter.rest()).toBe('');
  });

  it('refuses a line over the limit, whole or in parts, and goes on', () => {
    const splitter = new LineSplitter(4);
    expect(splitter.push(Buffer.from('1234\n'))).toEqual(['1234']);
    expect(() => splitter.push(Buffer.from('12345'))).toThrow(RangeError);
    splitter.push(Buffer.from('123'));
    expect(() => splitter.push(Buffer.from('45\n'))).toThrow(RangeError);
    expect(splitter.push(Buffer.from('ok\n'))).toEqual(['ok']);
  });
});
