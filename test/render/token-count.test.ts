import { describe, expect, it } from 'vitest';
import { loadTokenCounter, tokenizerName } from '../../src/render/index.ts';
import { fitsTokens } from '../../src/render/token-count.ts';

describe('token counts', () => {
  it('counts o200k tokens', async () => {
    const count = await loadTokenCounter();
    expect(tokenizerName).toBe('o200k_base');
    expect([count(''), count('hello world'), count('{"type":"object"}'), count('漢字')]).toEqual([0, 2, 5, 2]);
  });

  it('takes special tokens for plain text', async () => {
    expect((await loadTokenCounter())('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('counts runs without a break in parts, close to the exact figure', async () => {
    const count = await loadTokenCounter();
    expect(count('a'.repeat(200_000))).toBe(25_000);
  });

  it('never lets more than the limit pass', () => {
    expect(fitsTokens('漢字'.repeat(100), 200)).toBe(true);
    expect(fitsTokens('漢字'.repeat(100), 100)).toBe(false);
  });
});
