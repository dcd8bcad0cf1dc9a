import { join } from 'node:path';
import { repositoryFolder } from '../../data/bench-data.ts';
import { foldCount } from '../folds.ts';
import { cacheFolder } from './open-encoder.ts';

/** One training of the encoder: what it must not see, and where the change goes that it learns. */
export interface EncoderVariant {
  delta: string;
  withoutFold?: number;
  withoutFamilies?: readonly string[];
}

/** Families of sets that are left out together: an encoder for each of them alone would take three times as long. */
const leftOutTogether: readonly (readonly string[])[] = [
  ['real66', 'mcpproxy_golden'],
  ['livemcpbench', 'toolbench', 'sealtools'],
  ['metatool', 'bfcl'],
];

/** The one that ships. */
export const shippedVariant: EncoderVariant = {
  delta: join(repositoryFolder, 'index-data/build/encoder-delta.safetensors'),
};

/** One for the queries of each fold, which it has not seen. */
export const foldVariants: readonly EncoderVariant[] = Array.from({ length: foldCount }, (_, fold) => ({
  delta: join(cacheFolder, `encoder-without-fold-${fold}.safetensors`),
  withoutFold: fold,
}));

/** One for each group of families, whose tools it does not know. */
export const familyVariants: readonly EncoderVariant[] = leftOutTogether.map((families) => ({
  delta: join(cacheFolder, `encoder-without-${families.join('-')}.safetensors`),
  withoutFamilies: families,
}));
