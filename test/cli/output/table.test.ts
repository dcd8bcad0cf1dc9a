import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { cutToWidth, formatTable } from '../../../src/cli/output/table.ts';

const terminal = { write: () => undefined, isTTY: true, columns: 30, color: false };
const pipe = { ...terminal, isTTY: false };

describe('formatTable', () => {
  it('pads by width as seen, and cuts the last column', () => {
    const rows = [
      ['漢字', 'x', 'a text that is far too long for the line'],
      ['ab', 'yy', 'short'],
    ];
    const table = formatTable(['NAME', 'S', 'TEXT'], rows, terminal);
    expect(table).toBe('NAME  S   TEXT\n漢字  x   a text that is far …\nab    yy  short\n');
    for (const line of table.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(30);
  });

  it('keeps some of the last column on a very narrow terminal', () => {
    const table = formatTable(['A', 'B'], [['x'.repeat(40), 'y'.repeat(40)]], terminal);
    expect(table).toContain(`${'y'.repeat(19)}…`);
  });

  it('is whole and without a header in a pipe', () => {
    expect(formatTable(['A', 'B'], [['a\tb', 'c\nd'.repeat(50)]], pipe)).toBe(`a b\t${'c d'.repeat(50)}\n`);
  });

  it.each([[terminal], [pipe]])('is empty without rows', (output) => {
    expect(formatTable(['A'], [], output)).toBe('');
  });

  it('dims the header where colour is wanted', () => {
    expect(formatTable(['A'], [['x']], { ...terminal, color: true })).toBe('\u001b[2mA\u001b[22m\nx\n');
  });
});

describe('cutToWidth', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['漢字漢字', 6, '漢字…'],
    ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', 5, '👨‍👩‍👧👨‍👩‍👧…'],
  ])('%s at %i is %s', (text, width, expected) => {
    expect(cutToWidth(text, width)).toBe(expected);
  });
});
