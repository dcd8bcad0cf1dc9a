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
    expect(await queries.embed(['a'], true)).toEqual({ unavailable: 'unreachable' });
    expect(await queries.embed(['a'], true)).toEqual({ unavailable: 'unreachable' });
    expect(warn).toHaveBeenCalledOnce();
    embed = async () => [Float32Array.of(1)] as never;
    expect(await queries.embed(['a'], true)).toEqual({ vectors: [Float32Array.of(1)] });
    embed = away;
    expect(await queries.embed(['b'], true)).toEqual({ unavailable: 'unreachable' });
    expect(warn).toHaveBeenCalledTimes(2);
    expect(queries.broken).toBe(false);
  });

  it('answers what it knows while the endpoint is away', async () => {
    let embed = async () => [Float32Array.of(1)];
    const queries = new QueryEmbedder(fakeEmbedder({ embed: () => embed() }), silent);
    await queries.embed(['a'], true);
    embed = away;
    expect(await queries.embed(['a'], true)).toEqual({ vectors: [Float32Array.of(1)] });
  });

  it('gives up an endpoint that refuses, and says what to do', async () => {
    const warn = vi.fn();
    const embed = vi.fn(wrong);
    const queries = new QueryEmbedder(fakeEmbedder({ embed }), { ...silent, warn });
    expect(await queries.embed(['a'], true)).toEqual({ unavailable: 'broken' });
    expect(await queries.embed(['b'], true)).toEqual({ unavailable: 'broken' });
    expect(embed).toHaveBeenCalledOnce();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), { error: 'No such model.', next: 'Mend it.' });
  });

  it('does not wait for ever for an embedder that breaks its own limit', async () => {
    const embedder = fakeEmbedder({ embed: () => new Promise(() => undefined), queryTimeoutMs: 1 });
    expect(await new QueryEmbedder(embedder, silent).embed(['a'], true)).toEqual({ unavailable: 'loading' });
  });
});
