import { stemmer } from 'stemmer';

const asciiWord = /^[a-z]{3,}$/;

/** Porter's stem of an English-looking word; every other token as it is. */
export function stem(token: string): string {
  return asciiWord.test(token) ? stemmer(token) : token;
}
