import type { JsonValue } from '../model/index.ts';

/** Reads JSON; `undefined` for a text that is none, or that holds a number whose digits would not survive. */
export function parseExactly(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return numbersOf(text).every(survives) ? value : undefined;
  } catch {
    return undefined;
  }
}

function numbersOf(json: string): string[] {
  return [...json.matchAll(stringOrNumber)].map(([token]) => token).filter((token) => !token.startsWith('"'));
}

const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** An id of twenty digits, say, becomes another number. */
function survives(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? false : digitsOf(String(value)) === digitsOf(number);
}

/** The significant digits and the exponent of the last: `-1.50e1` → `-15e0`. */
function digitsOf(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
