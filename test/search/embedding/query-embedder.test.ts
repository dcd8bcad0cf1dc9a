import { describe, expect, it, vi } from 'vitest';
import { ToolcribError } from '../../../src/errors/index.ts';
import { QueryEmbedder } from '../../../src/search/embedding/query-embedder.ts';
import { fakeEmbedder, silent } from '../fixture.ts';

const away = () => Promise.reject(new ToolcribError('embedding_endpoint_unavailable', 'The endpoint is away.'));
const wrong = () =>
  Promise.reject(new ToolcribError('embedding_endpoint_refused', 'No such model.', { next: 'Mend it.' }));

describe('QueryEmbedder', () => {
  it('tries an endpoint again that was away, and logs each absence once', async () => {
    const warn = vi.fn();
    let embed = away;
    const embedder = fakeEmbedder({ embed: () => embed() });
    const queries = new QueryEmbedder(embedder, { ...silent, warn });
    expect(await queries.embed('a', [], true)).toEqual({ unavailable: 'unreachable' });
    expect(await queries.embed('a', [], true)).toEqual({ unavailable: 'unreachable' });
    expect(warn).toHaveBeenCalledOnce();
    embed = async () => [Float32Array.of(1)] as never;
    expect(await queries.embed('a', [], true)).toEqual({ vectors: [Float32Array.of(1)] });
    embed = away;
    expect(await queries.embed('b', [], true)).toEqual({ unavailable: 'unreachable' });
    expect(warn).toHaveBeenCalledTimes(2);
    expect(queries.broken).toBe(false);
  });

  it('answers what it knows while the endpoint is away', async () => {
    let embed = async () => [Float32Array.of(1)];
    const queries = new QueryEmbedder(fakeEmbedder({ embed: () => embed() }), silent);
    await queries.embed('a', [], true);
    embed = away;
    expect(await queries.embed('a', [], true)).toEqual({ vectors: [Float32Array.of(1)] });
  });

  it('gives up an endpoint that refuses, and says what to do', async () => {
    const warn = vi.fn();
    const embed = vi.fn(wrong);
    const queries = new QueryEmbedder(fakeEmbedder({ embed }), { ...silent, warn });
    expect(await queries.embed('a', [], true)).toEqual({ unavailable: 'broken' });
    expect(await queries.embed('b', [], true)).toEqual({ unavailable: 'broken' });
    expect(embed).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { error: 'No such model.', next: 'Mend it.' });
  });

  it('does not wait for ever for an embedder that breaks its own limit', async () => {
    const embedder = fakeEmbedder({ embed: () => new Promise(() => undefined), queryTimeoutMs: 1 });
    expect(await new QueryEmbedder(embedder, silent).embed('a', [], true)).toEqual({ unavailable: 'loading' });
  });

  it('asks for the parts of a query along with it, where the embedder can', async () => {
    const embed = vi.fn(async (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length)));
    const embedParts = vi.fn(async (query: string, parts: readonly string[]) => [
      Float32Array.of(query.length),
      ...parts.map(() => Float32Array.of(-1)),
    ]);
    const together = new QueryEmbedder(fakeEmbedder({ embed, embedParts }), silent);
    expect(await together.embed('ab, c', ['ab', 'c'], true)).toEqual({
      vectors: [Float32Array.of(5), Float32Array.of(-1), Float32Array.of(-1)],
    });
    expect(await together.embed('ab', [], true)).toEqual({ vectors: [Float32Array.of(2)] });
    const apart = new QueryEmbedder(fakeEmbedder({ embed }), silent);
    expect(await apart.embed('ab, c', ['ab', 'c'], true)).toEqual({
      vectors: [Float32Array.of(5), Float32Array.of(2), Float32Array.of(1)],
    });
    expect(embedParts).toHaveBeenCalledOnce();
  });

  it('does not take a part in one query for the same words in another', async () => {
    const embedParts = vi.fn(async (query: string) => [Float32Array.of(1), Float32Array.of(query.length)]);
    const queries = new QueryEmbedder(fakeEmbedder({ embedParts }), silent);
    await queries.embed('ab, c', ['ab'], true);
    expect(await queries.embed('ab and d', ['ab'], true)).toEqual({
      vectors: [Float32Array.of(1), Float32Array.of(8)],
    });
    await queries.embed('ab, c', ['ab'], true);
    expect(embedParts).toHaveBeenCalledTimes(2);
  });
});
