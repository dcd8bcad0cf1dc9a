import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CreateOptions, createToolcrib, type LogEntry, type SearchResult } from '../../src/index.ts';
import { startEndpoint } from '../search/embedding/endpoint-server.ts';

const key = 'sk-very-secret-4711';

const tools = [
  { name: 'write_note', description: 'Writes a note to the notebook.', inputSchema: { type: 'object' } },
  { name: 'read_note', description: 'Reads a note.', inputSchema: { type: 'object' } },
];

function open(options: CreateOptions) {
  const crib = createToolcrib(options);
  const log: LogEntry[] = [];
  crib.on('log', (entry) => log.push(entry));
  onTestFinished(() => crib.close());
  return { crib, log };
}

function codes({ notes }: SearchResult): string[] {
  return notes.map(({ code }) => code);
}

const endpointAt = (baseUrl: string, model = 'small') =>
  ({ provider: 'openai', baseUrl, model, apiKey: key, queryTimeoutMs: 5_000 }) as const;

describe('an embedding endpoint', () => {
  it('gives tools and queries their vectors', async () => {
    const { baseUrl, requests } = await startEndpoint();
    const { crib } = open({ embedding: endpointAt(baseUrl) });
    crib.ingest('notes', tools);
    await crib.settled();
    const documents = requests.length;
    expect(documents).toBeGreaterThan(0);
    const answer = await crib.search('zzz unheard of', { arm: 'embedding' });
    expect(answer.hits.length).toBeGreaterThan(0);
    expect(codes(answer)).not.toContain('vectors_pending');
    expect(requests.slice(documents).map(({ body }) => body.input[0])).toEqual(['zzz unheard of']);
  });

  it('is missed with a note when it goes, and used again when it is back', async () => {
    let isAway = false;
    const { baseUrl } = await startEndpoint(
      (_, response) => isAway && !!response.writeHead(503, { 'retry-after': '0' }).end(),
    );
    const { crib, log } = open({ embedding: endpointAt(baseUrl) });
    crib.ingest('notes', tools);
    await crib.settled();
    isAway = true;
    const without = await crib.search('write a note');
    expect(without.hits[0]?.tool).toBe('write_note');
    expect(without.notes).toContainEqual({
      code: 'embedding_unavailable',
      message: expect.stringContaining('the embedding endpoint did not answer in time'),
    });
    isAway = false;
    expect(codes(await crib.search('write another note'))).not.toContain('embedding_unavailable');
    expect(log.map(({ message }) => message)).toContain(
      'the embedding endpoint does not answer, search goes on by keywords',
    );
    expect(JSON.stringify([log, without])).not.toContain(key);
  });

  it('embeds the catalog anew for another model, and says so until it is done', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolcrib-embedding-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const catalog = join(folder, 'catalog.sqlite');
    const { baseUrl, requests } = await startEndpoint();
    const first = open({ catalog, embedding: endpointAt(baseUrl) }).crib;
    first.ingest('notes', tools);
    await first.settled();
    await first.close();
    const before = requests.length;

    const second = open({ catalog, embedding: endpointAt(baseUrl, 'other') }).crib;
    expect(codes(await second.search('write a note'))).toContain('vectors_pending');
    await second.settled();
    expect(codes(await second.search('write a note'))).not.toContain('vectors_pending');
    expect(new Set(requests.slice(before).map(({ body }) => body.model))).toEqual(new Set(['other']));
    await second.close();

    const known = requests.length;
    const third = open({ catalog, embedding: endpointAt(baseUrl, 'other') }).crib;
    await third.settled();
    expect(requests).toHaveLength(known);
  });
});

describe('a hub model without the package that runs it', () => {
  it('leaves search to keywords, with a note and the command that installs it', async () => {
    const { crib, log } = open({ embedding: { provider: 'transformers', model: 'Xenova/bge-small-en-v1.5' } });
    crib.ingest('notes', tools);
    await crib.settled();
    const answer = await crib.search('write a note', { arm: 'hybrid' });
    expect(answer.hits[0]?.tool).toBe('write_note');
    expect(codes(answer)).toContain('embedding_unavailable');
    expect(JSON.stringify(log)).toContain('npm install @huggingface/transformers');
  });
});
