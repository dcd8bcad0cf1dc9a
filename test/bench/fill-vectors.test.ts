import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolcrib } from 'toolcrib';
import { afterAll, expect, it, vi } from 'vitest';
import { fillVectors } from '../../bench/data/fill-vectors.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-fill-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('completes a catalog whose texts have vectors in part, in the form that the product reads', async () => {
  const catalog = join(folder, 'catalog.sqlite');
  const tool = (index: number) => ({ name: `tool_${index}`, description: `Does thing ${index}`, inputSchema: {} });
  const few = Array.from({ length: 8 }, (_, index) => tool(index));
  const many = Array.from({ length: 60 }, (_, index) => tool(100 + index));

  const real = createToolcrib({ catalog });
  real.ingest('few', few);
  await real.settled();
  await real.close();
  const keywordsOnly = createToolcrib({ catalog, embedding: 'none' });
  keywordsOnly.ingest('many', many);
  await keywordsOnly.indexed();
  await keywordsOnly.close();

  expect(fillVectors(catalog)).toBe(2 * many.length);
  expect(fillVectors(catalog)).toBe(0);

  const filled = createToolcrib({ catalog });
  try {
    // Progress is told after each batch: there was none to embed.
    const batches: unknown[] = [];
    await filled.settled((progress) => batches.push(progress));
    expect(batches).toEqual([]);
    // Nothing has loaded the model yet, and a search waits for it within limits only.
    const hits = await vi.waitFor(
      async () => {
        const answer = await filled.search('does thing', { arm: 'embedding', limit: 20, server: 'many' });
        expect(answer.hits.length).toBeGreaterThan(0);
        return answer.hits;
      },
      { timeout: 30_000 },
    );
    for (const { score } of hits) expect(Math.abs(score)).toBeLessThan(3);
  } finally {
    await filled.close();
  }
});
