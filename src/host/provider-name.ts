import { createHash } from 'node:crypto';

/** What every model provider takes; some take more. */
export const providerNameMaxChars = 64;

const hashChars = 8;

/**
 * A tool's name within the limit of model providers: as it is where it fits, else cut, with a hash of the whole name, so that
 * two tools never share one and a restart gives the same. Exposed names hold nothing but `[A-Za-z0-9_-]`.
 */
export function providerName(name: string): string {
  if (name.length <= providerNameMaxChars) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashChars);
  return `${name.slice(0, providerNameMaxChars - hashChars - 1)}_${hash}`;
}
