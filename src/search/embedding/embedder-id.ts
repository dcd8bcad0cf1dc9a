import { createHash } from 'node:crypto';

const hashLength = 8;

/**
 * The id of a model whose settings come from a config: readable parts, then a hash of whatever else decides which vector a
 * text gets. A change of either makes the catalog embed its texts anew.
 */
export function embedderId(readable: readonly (string | number)[], settings: readonly unknown[]): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([readable, settings]))
    .digest('hex')
    .slice(0, hashLength);
  return [...readable, hash].join('/');
}
