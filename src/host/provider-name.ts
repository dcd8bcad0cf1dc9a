import { createHash } from 'node:crypto';

/** What every model provider takes; some take more. */
export const providerNameMaxChars = 64;

const hashChars = 8;

/**
 * A tool's name within the limit of model providers: as it is where it fits, else cut, with a hash of the whole name, so that
 * two tools never share one and a restart gives the same. Exposed names hold nothing but `[A-Za-z0-9_-]`.
 */
export function providerName(name: string): string {
  return name.length <= providerNameMaxChars ? name : cutWithHash(name, name);
}

/** `shown` within the limit, told apart from others by a hash of the `whole` that it stands for. */
export function cutWithHash(shown: string, whole: string): string {
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, hashChars);
  return `${shown.slice(0, providerNameMaxChars - hashChars - 1)}_${hash}`;
}
