import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ingestFingerprint } from '../../src/catalog/index.ts';
import { ToolcribError } from '../../src/errors/index.ts';
import { createEmbeddingBackfill } from '../../src/search/index.ts';
import { fakeEmbedder, filledCatalog, servers, silent } from './fixture.ts';

const meta = { fingerprint: ingestFingerprint, listedAt: 1, trigger: 'ingest' } as const;

describe('createEmbeddingBackfill', () => {
  it('gives every text a vector and tells how far it is', async () => {
    const catalog = filledCatalog();
    const embedder = fakeEmbedder();
    const seen: number[] = [];
    const backfill = createEmbeddingBackfill({ vectors: catalog, embedder, logger: silent });
    await backfill.settled(({ embedded }) => seen.push(embedded));
    const { texts, embedded } = catalog.coverage(embedder.id);
    expect(texts).toBeGreaterThan(10);
    expect(embedded).toBe(texts);
    expect(seen.at(-1)).toBe(texts);
  });

  it('embeds only what is new', async () => {
    const catalog = filledCatalog();
    const embed = vi.fn(fakeEmbedder().embed);
    const backfill = createEmbeddingBackfill({ vectors: catalog, embedder: fakeEmbedder({ embed }), logger: silent });
    await backfill.settled();
    embed.mockClear();
    await backfill.settled();
    expect(embed).not.toHaveBeenCalled();
  });

  it('takes in what was added while it ran', async () => {
    const catalog = filledCatalog({ weather: servers.weather ?? [] });
    const backfill: ReturnType<typeof createEmbeddingBackfill> = createEmbeddingBackfill({
      vectors: catalog,
      embedder: fakeEmbedder({
        embed: async (texts) => {
          if (catalog.servers().length === 1) {
            catalog.ingest('github', servers.github ?? [], meta);
            backfill.kick();
          }
          return texts.map(() => Float32Array.of(1, 0, 0, 0));
        },
      }),
      logger: silent,
    });
    await backfill.settled();
    const { texts, embedded } = catalog.coverage('fake');
    expect(texts).toBeGreaterThan(4);
    expect(embedded).toBe(texts);
  });

  it('settles with one warning when the model is broken, and does not try again', async () => {
    const embed = vi.fn(() => Promise.reject(new Error('no model')));
    const warn = vi.fn();
    const backfill = createEmbeddingBackfill({
      // One batch: with more, the second is under way before the first has failed.
      vectors: filledCatalog({ weather: servers.weather ?? [] }),
      embedder: fakeEmbedder({ embed }),
      logger: { ...silent, warn },
    });
    await backfill.settled();
    await backfill.settled();
    expect(embed).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledOnce();
  });

  it('stops after the batch at hand', async () => {
    const catalog = filledCatalog();
    const backfill = createEmbeddingBackfill({
      vectors: catalog,
      embedder: fakeEmbedder(),
      logger: silent,
    });
    backfill.kick();
    await backfill.stop();
    const before = catalog.coverage('fake').embedded;
    backfill.kick();
    await backfill.settled();
    expect(catalog.coverage('fake').embedded).toBe(before);
  });

  it('takes as many texts at once as the embedder likes best', async () => {
    const embed = vi.fn(fakeEmbedder().embed);
    const catalog = filledCatalog();
    await createEmbeddingBackfill({
      vectors: catalog,
      embedder: fakeEmbedder({ embed, documentBatch: 3 }),
      logger: silent,
    }).settled();
    const sizes = embed.mock.calls.map(([texts]) => texts.length);
    expect(sizes.slice(0, -1).every((size) => size === 3)).toBe(true);
    expect(sizes.length).toBeGreaterThan(2);
  });

  it('puts work off while an endpoint is away, and goes on with it by itself', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const catalog = filledCatalog({ weather: servers.weather ?? [] });
    const away = new ToolcribError('embedding_endpoint_unavailable', 'away');
    const embed = vi.fn(fakeEmbedder().embed).mockRejectedValueOnce(away).mockRejectedValueOnce(away);
    const warn = vi.fn();
    const backfill = createEmbeddingBackfill({
      vectors: catalog,
      embedder: fakeEmbedder({ embed }),
      logger: { ...silent, warn },
    });
    await backfill.settled();
    expect(catalog.coverage('fake').embedded).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(embed).toHaveBeenCalledTimes(2);
    expect(warn.mock.calls.map(([, fields]) => fields)).toEqual([
      { error: 'away', retryMs: 60_000 },
      { error: 'away', retryMs: 120_000 },
    ]);
    await vi.advanceTimersByTimeAsync(120_000);
    const { texts, embedded } = catalog.coverage('fake');
    expect(embedded).toBe(texts);
  });

  it('leaves no work behind when it is stopped while an endpoint is away', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const embed = vi.fn(() => Promise.reject(new ToolcribError('embedding_endpoint_unavailable', 'away')));
    const backfill = createEmbeddingBackfill({
      vectors: filledCatalog(),
      embedder: fakeEmbedder({ embed }),
      logger: silent,
    });
    await backfill.settled();
    await backfill.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
