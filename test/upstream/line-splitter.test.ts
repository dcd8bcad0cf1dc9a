import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, type LongLine } from '../../src/upstream/line-splitter.ts';

describe('LineSplitter', () => {
  it('gives the same lines however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(200)), fc.constantFrom('\n', '\r\n'), (lines, cuts, end) => {
        const bytes = Buffer.from(lines.map((text) => `${text}${end}`).join(''));
        const splitter = new LineSplitter(1_000_000, () => {});
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const found = edges.slice(1).flatMap((edge, i) => splitter.push(bytes.subarray(edges[i], edge)));
        expect(found).toEqual(lines);
      }),
    );
  });

  it('keeps what has no line end yet', () => {
    const splitter = new LineSplitter(100, () => {});
    expect(splitter.push(Buffer.from('a\nbc'))).toEqual(['a']);
    expect(splitter.rest()).toBe('bc');
    expect(splitter.rest()).toBe('');
  });

  it('leaves a line over the limit out, whole or in parts, tells of it, and goes on', () => {
    const told: LongLine[] = [];
    const splitter = new LineSplitter(4, (line) => told.push(line));
    expect(splitter.push(Buffer.from('1234\n'))).toEqual(['1234']);
    expect(splitter.push(Buffer.from('12345\nok\n'))).toEqual(['ok']);
    expect(told.splice(0)).toEqual([{ head: '12345', tail: '12345', bytes: 5, isComplete: true }]);
    expect(splitter.push(Buffer.from('123'))).toEqual([]);
    expect(splitter.push(Buffer.from('45'))).toEqual([]);
    expect(splitter.push(Buffer.from('6'))).toEqual([]);
    expect(splitter.push(Buffer.from('\nok\n1'))).toEqual(['ok']);
    expect(told.map(({ bytes, isComplete }) => [bytes, isComplete])).toEqual([
      [5, false],
      [6, false],
      [6, true],
    ]);
    expect(splitter.rest()).toBe('1');
  });

  it('keeps the two ends of a line over the limit, and no more', () => {
    const told: LongLine[] = [];
    const splitter = new LineSplitter(10_000, (line) => told.push(line));
    const text = `head ${'x'.repeat(50_000)} tail`;
    for (let at = 0; at < text.length; at += 777) splitter.push(Buffer.from(text.slice(at, at + 777)));
    splitter.push(Buffer.from('\n'));
    const last = told.at(-1);
    expect(last).toMatchObject({ bytes: text.length, isComplete: true });
    expect(last?.head).toBe(text.slice(0, 1024));
    expect(last?.tail).toBe(text.slice(-1024));
  });
});
