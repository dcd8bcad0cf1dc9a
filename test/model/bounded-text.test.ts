import { expect, it } from 'vitest';
import { boundedText } from '../../src/model/index.ts';

it('joins the parts of a body, characters that are cut between them as well', async () => {
  const bytes = Buffer.from('a€b');
  expect(await boundedText(parts(bytes.subarray(0, 2), bytes.subarray(2)), 5)).toBe('a€b');
});

it('gives up on a body that is too large, and reads no more of it', async () => {
  const read: string[] = [];
  expect(await boundedText(parts(Buffer.from('abc'), Buffer.from('def'), Buffer.from('ghi')), 5)).toBeUndefined();
  expect(read).toEqual(['abc', 'def']);

  async function* parts(...chunks: Buffer[]) {
    for (const chunk of chunks) {
      read.push(chunk.toString());
      yield chunk;
    }
  }
});

async function* parts(...chunks: Buffer[]) {
  yield* chunks;
}
