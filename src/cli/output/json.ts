import { escapeUnseen } from '../../render/index.ts';
import type { TextOutput } from '../io.ts';

/** One JSON document: indented for people, one line in a pipe. Escapes keep what is not seen off a terminal. */
export function writeJson(output: TextOutput, value: unknown): void {
  output.write(`${escapeUnseen(JSON.stringify(value, null, output.isTTY ? 2 : 0))}\n`);
}
