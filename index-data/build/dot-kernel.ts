/** Assembles the vector kernel of `src/search/embedding/kernel`: `npx tsx index-data/build/dot-kernel.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import wabt from 'wabt';

const kernelPath = (file: string) =>
  fileURLToPath(new URL(`../../src/search/embedding/kernel/${file}`, import.meta.url));

export const dotKernelCodePath = kernelPath('dot-kernel-code.ts');

/** The module that holds the assembled kernel: in TypeScript, so that it is wherever the program that loads it is. */
export async function dotKernelCode(): Promise<string> {
  const { parseWat } = await wabt();
  const name = 'dot-kernel.wat';
  const parsed = parseWat(name, readFileSync(kernelPath(name), 'utf8'), { simd: true });
  try {
    const { buffer } = parsed.toBinary({});
    return [
      `/** \`${name}\`, assembled by \`index-data/build/dot-kernel.ts\`: WebAssembly in base64. */`,
      'export const dotKernelCode =',
      `  '${Buffer.from(buffer).toString('base64')}';`,
      '',
    ].join('\n');
  } finally {
    parsed.destroy();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(dotKernelCodePath, await dotKernelCode());
