import { describe, expect, it } from 'vitest';
import { formatTable } from '../../../src/cli/output/table.ts';

const terminal = { write: () => undefined, isTTY: true, columns: 30, color: false };
const pipe = { ...terminal, isTTY: false };

describe('formatTable', () => {
  it('pads by width as seen, and cuts nothing', async () => {
    const rows = [
      ['漢字', 'x', 'a text that is far too long for the line'],
      ['ab', 'yy', 'short'],
    ];
    expect(await formatTable(['NAME', 'S', 'TEXT'], rows, terminal)).toBe(
      'NAME  S   TEXT\n漢字  x   a text that is far too long for the line\nab    yy  short\n',
    );
  });

  it('is whole and without a header in a pipe', async () => {
    expect(await formatTable(['A', 'B'], [['a\tb', 'c\nd'.repeat(50)]], pipe)).toBe(`a b\t${'c d'.repeat(50)}\n`);
  });

  it.each([[terminal], [pipe]])('is empty without rows', async (output) => {
    expect(await formatTable(['A'], [], output)).toBe('');
  });

  it('dims the header where colour is wanted', async () => {
    expect(await formatTable(['A'], [['x']], { ...terminal, color: true })).toBe('\u001b[2mA\u001b[22m\nx\n');
  });
});
