import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dotKernelCode, dotKernelCodePath } from '../../../../index-data/build/dot-kernel.ts';
import { createArena } from '../../../../src/search/embedding/kernel/create-arena.ts';
import { PlainArena } from '../../../../src/search/embedding/kernel/plain-arena.ts';
import { type RowArena, rowsPerBlock } from '../../../../src/search/embedding/kernel/row-arena.ts';
import { WasmArena } from '../../../../src/search/embedding/kernel/wasm-arena.ts';

it('ships the kernel that its source assembles to', async () => {
  expect(readFileSync(dotKernelCodePath, 'utf8')).toBe(await dotKernelCode());
});

it('is the WebAssembly one where the engine has it', () => {
  expect(createArena(3)).toBeInstanceOf(WasmArena);
});

describe.each<[string, (dimensions: number) => RowArena]>([
  ['WebAssembly', (dimensions) => new WasmArena(dimensions)],
  ['plain', (dimensions) => new PlainArena(dimensions)],
])('RowArena: %s', (_name, make) => {
  const products = (arena: RowArena, query: readonly number[], block: number, count: number) => {
    const padded = new Int16Array(arena.stride);
    padded.set(query);
    const out = new Int32Array(count + 2).fill(-7);
    arena.dots(padded, block, count, out, 1);
    expect([out[0], out[count + 1]]).toEqual([-7, -7]);
    return [...out.subarray(1, count + 1)];
  };

  it('multiplies any rows of any length', () => {
    const cases = fc.integer({ min: 0, max: 100 }).chain((dimensions) =>
      fc.record({
        dimensions: fc.constant(dimensions),
        query: vector(dimensions, 2_047),
        rows: fc.array(vector(dimensions, 127), { maxLength: 9 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ dimensions, query, rows }) => {
        const arena = make(dimensions);
        const block = arena.addBlock();
        for (const [index, row] of rows.entries()) arena.write(block, index, Int8Array.from(row));
        const expected = rows.map((row) => row.reduce((sum, value, column) => sum + value * (query[column] ?? 0), 0));
        expect(products(arena, query, block, rows.length)).toEqual(expected);
        for (const [index, row] of rows.entries()) {
          expect([...arena.row(block, index).subarray(0, dimensions)]).toEqual(row);
        }
      }),
    );
  });

  it('holds the greatest sum of the largest model', () => {
    const dimensions = 8_192;
    const arena = make(dimensions);
    const block = arena.addBlock();
    arena.write(block, 0, new Int8Array(dimensions).fill(-127));
    expect(products(arena, Array(dimensions).fill(2_047), block, 1)).toEqual([-127 * 2_047 * dimensions]);
  });

  it('keeps blocks apart, and gives cleared ones back empty', () => {
    const arena = make(16);
    const one = new Int8Array(16).fill(1);
    const fill = (block: number) => {
      for (let index = 0; index < rowsPerBlock; index++) arena.write(block, index, one);
    };
    const blocks = Array.from({ length: 9 }, () => arena.addBlock());
    for (const block of blocks) fill(block);
    arena.write(blocks[4] as number, rowsPerBlock - 1, new Int8Array(16));
    const sums = blocks.map((block) => products(arena, Array(16).fill(1), block, rowsPerBlock));
    expect(sums.map((list) => list.reduce((sum, value) => sum + value))).toEqual(
      blocks.map((_block, index) => 16 * (rowsPerBlock - (index === 4 ? 1 : 0))),
    );
    arena.clear();
    expect(products(arena, Array(16).fill(1), arena.addBlock(), rowsPerBlock)).toEqual(Array(rowsPerBlock).fill(0));
  });
});

function vector(length: number, max: number) {
  return fc.array(fc.integer({ min: -max, max }), { minLength: length, maxLength: length });
}
