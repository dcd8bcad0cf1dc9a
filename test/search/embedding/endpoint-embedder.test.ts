import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEndpointEmbedder, type EndpointOptions } from '../../../src/search/embedding/endpoint-embedder.ts';
import { type Behaviour, reply, startEndpoint, vectorOf } from './endpoint-server.ts';

const key = 'sk-very-secret-4711';

async function start(behave?: Behaviour, options: Partial<EndpointOptions> = {}) {
  const endpoint = await startEndpoint(behave);
  const embedder = createEndpointEmbedder({
    baseUrl: endpoint.baseUrl,
    model: 'small',
    apiKey: key,
    readsAllScripts: true,
    batchSize: 4,
    timeoutMs: 20_000,
    queryTimeoutMs: 5_000,
    firstPauseMs: 1,
    ...options,
  });
  onTestFinished(() => embedder.close());
  return { embedder, requests: endpoint.requests, endpoint };
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

function expectVectors(vectors: readonly Float32Array[], texts: readonly string[]) {
  expect(vectors).toHaveLength(texts.length);
  for (const [index, text] of texts.entries()) {
    for (const [at, value] of unit(vectorOf(text)).entries()) expect(vectors[index]?.[at]).toBeCloseTo(value, 6);
  }
}

describe('createEndpointEmbedder', () => {
  it('sends documents in batches and returns unit vectors in their order', async () => {
    const { embedder, requests } = await start();
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff'];
    expectVectors(await embedder.embed(texts, 'document'), texts);
    expect(requests.map(({ body }) => body)).toEqual([
      { model: 'small', input: texts.slice(0, 4) },
      { model: 'small', input: texts.slice(4) },
    ]);
    expect(requests[0]).toMatchObject({ path: '/v1/embeddings', authorization: `Bearer ${key}` });
    expect(embedder.dimensions).toBe(3);
  });

  it('sends a query with its clauses in one request', async () => {
    const { embedder, requests } = await start(undefined, { batchSize: 1 });
    const texts = ['one and two', 'one', 'two'];
    expectVectors(await embedder.embed(texts, 'query'), texts);
    expect(requests).toHaveLength(1);
  });

  it('puts the prefixes before the texts, and sends no key where there is none', async () => {
    const endpoint = await startEndpoint();
    const embedder = createEndpointEmbedder({
      baseUrl: `${endpoint.baseUrl}//?version=2`,
      model: 'small',
      readsAllScripts: false,
      batchSize: 4,
      timeoutMs: 20_000,
      queryTimeoutMs: 5_000,
      queryPrefix: 'query: ',
      documentPrefix: 'passage: ',
    });
    onTestFinished(() => embedder.close());
    await embedder.embed(['x'], 'query');
    await embedder.embed(['x'], 'document');
    expect(endpoint.requests.map(({ body }) => body.input)).toEqual([['query: x'], ['passage: x']]);
    expect(endpoint.requests[0]).toMatchObject({ path: '/v1/embeddings?version=2' });
    expect(endpoint.requests[0]?.authorization).toBeUndefined();
  });

  it('asks for the dimensions of the config and takes no others', async () => {
    const { embedder, requests } = await start(undefined, { dimensions: 5 });
    expect(embedder.dimensions).toBe(5);
    await expect(embedder.embed(['x'], 'document')).rejects.toMatchObject({
      code: 'embedding_endpoint_refused',
      message: expect.stringContaining('a vector of 3 values, expected 5'),
    });
    expect(requests.map(({ body }) => body.dimensions)).toEqual([5]);
  });

  it('holds the endpoint to the size of its first vector', async () => {
    const { embedder } = await start((_, response, count) =>
      count === 1 ? undefined : reply(response, 200, { data: [{ index: 0, embedding: [1, 2] }] }),
    );
    await embedder.embed(['x'], 'query');
    await expect(embedder.embed(['y'], 'query')).rejects.toMatchObject({
      message: expect.stringContaining('a vector of 2 values, expected 3'),
    });
  });

  it('sends whole characters only, and no empty text', async () => {
    const { embedder, requests } = await start();
    await embedder.embed(['cut \ud83d', ''], 'document');
    expect(requests[0]?.body.input).toEqual(['cut \ufffd', ' ']);
  });

  it.each([429, 500, 502, 503, 504, 408])('tries documents again after %i', async (status) => {
    const { embedder, requests } = await start((_, response, count) =>
      count < 3 ? reply(response, status, { error: { message: 'busy' } }) : undefined,
    );
    expectVectors(await embedder.embed(['a', 'b'], 'document'), ['a', 'b']);
    expect(requests).toHaveLength(3);
  });

  it('tries documents again after a connection that broke', async () => {
    const { embedder, requests } = await start((_, response, count) => count === 1 && !!response.socket?.destroy());
    expectVectors(await embedder.embed(['a'], 'document'), ['a']);
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['seconds', '3600'],
    ['a date', new Date(Date.now() + 3_600_000).toUTCString()],
  ])('leaves the work for later when the endpoint asks for an hour, in %s', async (_, after) => {
    const { embedder, requests } = await start((__, response) =>
      reply(response, 429, { error: { message: 'quota' } }, { 'retry-after': after }),
    );
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({
      code: 'embedding_endpoint_unavailable',
      message: expect.stringContaining('answered 429: quota'),
    });
    expect(requests).toHaveLength(1);
  });

  it('gives up after a bounded number of tries', async () => {
    const { embedder, requests } = await start((_, response) => reply(response, 503, {}));
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({ code: 'embedding_endpoint_unavailable' });
    expect(requests).toHaveLength(6);
  });

  it.each([401, 403, 404])('takes %i as final', async (status) => {
    const { embedder, requests } = await start((_, response) => reply(response, status, { error: 'no' }));
    await expect(embedder.embed(['a', 'b'], 'document')).rejects.toMatchObject({
      code: 'embedding_endpoint_refused',
      message: expect.stringContaining(`answered ${status}: no`),
    });
    expect(requests).toHaveLength(1);
  });

  it('halves what is too much, so that one long text stops no other', async () => {
    const { embedder, requests } = await start(({ body }, response) =>
      body.input.length > 2 || body.input.some((text) => text.length > 600)
        ? reply(response, 413, { error: { message: 'too large' } })
        : undefined,
    );
    const long = 'long '.repeat(400);
    const vectors = await embedder.embed(['a', 'b', 'c', long], 'document');
    expectVectors(vectors, ['a', 'b', 'c', long.slice(0, 500)]);
    expect(requests.length).toBeLessThan(10);
  });

  it('ends with the reason when even a short text is refused', async () => {
    const { embedder, requests } = await start((_, response) => reply(response, 400, { message: 'no such model' }));
    await expect(embedder.embed(['a', 'b', 'c', 'd'], 'document')).rejects.toMatchObject({
      code: 'embedding_endpoint_refused',
      message: expect.stringContaining('answered 400: no such model'),
    });
    expect(requests.length).toBeLessThan(5);
  });

  it.each<[string, unknown, string]>([
    ['no list', { object: 'list' }, 'it holds no list "data"'],
    ['too few vectors', { data: [] }, 'it holds 0 vectors for 1 texts'],
    ['no numbers', { data: [{ embedding: ['1', null] }] }, 'no list of numbers'],
    ['an empty vector', { data: [{ embedding: [] }] }, 'a vector of 0 values'],
  ])('says what is wrong with an answer with %s', async (_, body, reason) => {
    const { embedder, requests } = await start((__, response) => reply(response, 200, body));
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({
      code: 'embedding_endpoint_refused',
      message: expect.stringContaining(reason),
    });
    expect(requests).toHaveLength(1);
  });

  it('says so when the answer is a web page', async () => {
    const { embedder } = await start((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
      return true;
    });
    await expect(embedder.embed(['a'], 'query')).rejects.toMatchObject({
      code: 'embedding_endpoint_refused',
      message: expect.stringContaining('no JSON'),
    });
  });

  it('follows no redirect: texts and key go to no other host', async () => {
    const other = await startEndpoint();
    const { embedder } = await start((_, response) =>
      reply(response, 307, {}, { location: `${other.baseUrl}/embeddings` }),
    );
    await expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({
      code: 'embedding_endpoint_refused',
      message: expect.stringContaining('a redirect, which is not followed'),
    });
    expect(other.requests).toEqual([]);
  });

  it('shows the key in no error, even where the endpoint repeats it', async () => {
    const { embedder } = await start((_, response) =>
      reply(response, 401, { error: { message: `Incorrect API key provided: ${key}.\n\u001b[31m` } }),
    );
    const error = await embedder.embed(['a'], 'query').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('Incorrect API key provided: [redacted].') });
    expect(
      JSON.stringify({ error, message: (error as Error).message, cause: String((error as Error).cause) }),
    ).not.toContain(key);
  });

  it('gives a query its short limit, tries it once, and leaves the endpoint alone for a while', async () => {
    const { embedder, requests } = await start(() => true, { queryTimeoutMs: 50 });
    const expected = { code: 'embedding_endpoint_unavailable', message: expect.stringContaining('within 50 ms') };
    await expect(embedder.embed(['a'], 'query')).rejects.toMatchObject(expected);
    await expect(embedder.embed(['b'], 'query')).rejects.toMatchObject(expected);
    expect(requests).toHaveLength(1);
  });

  it('asks again for queries once documents got through', async () => {
    const { embedder, requests } = await start((_, response, count) => count === 1 && reply(response, 503, {}));
    await expect(embedder.embed(['a'], 'query')).rejects.toMatchObject({ code: 'embedding_endpoint_unavailable' });
    await embedder.embed(['b'], 'document');
    expectVectors(await embedder.embed(['a'], 'query'), ['a']);
    expect(requests).toHaveLength(3);
  });

  it('says that nobody listens', async () => {
    const { embedder, endpoint } = await start();
    await endpoint.close();
    await expect(embedder.embed(['a'], 'query')).rejects.toMatchObject({
      code: 'embedding_endpoint_unavailable',
      message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/embeddings cannot be reached: .*ECONNREFUSED/),
    });
  });

  it.each(['query', 'document'] as const)(
    'ends a pending %s when it is closed, and refuses later ones',
    async (kind) => {
      const { embedder, requests } = await start(() => true);
      const pending = embedder.embed(['a'], kind);
      const rejected = expect(pending).rejects.toMatchObject({ code: 'closed' });
      await expect.poll(() => requests.length).toBe(1);
      await embedder.close();
      await rejected;
      await expect(embedder.embed(['a'], kind)).rejects.toMatchObject({ code: 'closed' });
      await expect(embedder.ready()).rejects.toMatchObject({ code: 'closed' });
    },
  );

  it('pauses as long as the endpoint asks, and ends the pause when it is closed', async () => {
    const { embedder, requests } = await start((_, response) => reply(response, 429, {}, { 'retry-after': '50' }));
    const rejected = expect(embedder.embed(['a'], 'document')).rejects.toMatchObject({ code: 'closed' });
    await expect.poll(() => requests.length).toBe(1);
    // Without regard to the header it would be after a millisecond.
    await sleep(100);
    expect(requests).toHaveLength(1);
    await embedder.close();
    await rejected;
  });
});

describe('the id of an endpoint', () => {
  const base = {
    baseUrl: 'http://x/v1',
    model: 'm',
    readsAllScripts: true,
    batchSize: 1,
    timeoutMs: 1,
    queryTimeoutMs: 1,
  };
  const idOf = (options: Partial<EndpointOptions>) => createEndpointEmbedder({ ...base, ...options }).id;

  it.each<Partial<EndpointOptions>>([
    { model: 'n' },
    { baseUrl: 'http://y/v1' },
    { dimensions: 256 },
    { documentPrefix: 'passage: ' },
  ])('changes with %j', (options) => {
    expect(idOf(options)).not.toBe(idOf({}));
  });

  it.each<Partial<EndpointOptions>>([{ queryPrefix: 'query: ' }, { apiKey: 'k' }, { batchSize: 9 }, { timeoutMs: 9 }])(
    'stays with %j, which changes no vector of a tool',
    (options) => {
      expect(idOf(options)).toBe(idOf({}));
    },
  );
});
