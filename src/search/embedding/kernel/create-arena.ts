import { PlainArena } from './plain-arena.ts';
import type { RowArena } from './row-arena.ts';
import { WasmArena } from './wasm-arena.ts';

/** The fastest arena that this engine has. */
export function createArena(dimensions: number): RowArena {
  try {
    return new WasmArena(dimensions);
  } catch {
    return new PlainArena(dimensions);
  }
}
