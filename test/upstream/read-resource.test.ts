import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/model/index.ts';
import { rawServer, upstreamOf } from './harness.ts';

const uri = 'file:///a.txt';

function reading(readResult?: JsonValue) {
  const { upstream } = upstreamOf([rawServer('old', readResult === undefined ? {} : { readResult })]);
  return upstream.readResource('old', uri);
}

describe('reading a resource', () => {
  it('gives what the server sent, without metadata that is not its to give', async () => {
    const contents = [
      { uri, text: 'a', 'x-own': { kept: true }, _meta: { 'example.org/a': 1, 'io.modelcontextprotocol/b': 2 } },
      { uri, blob: 'aGk=', mimeType: 'image/png', _meta: { 'dev.toolcrib/c': 3 } },
    ];
    await expect(reading({ contents, _meta: { 'example.org/d': 4, 'dev.toolcrib/e': 5 } })).resolves.toEqual({
      contents: [
        { uri, text: 'a', 'x-own': { kept: true }, _meta: { 'example.org/a': 1 } },
        { uri, blob: 'aGk=', mimeType: 'image/png' },
      ],
      _meta: { 'example.org/d': 4 },
    });
  });

  it.each<[string, JsonValue]>([
    ['no object', 'text'],
    ['no contents', {}],
    ['content without a text or a blob', { contents: [{ uri }] }],
    ['a question', { resultType: 'input_required', inputRequests: {} }],
  ])('refuses %s', async (_what, readResult) => {
    await expect(reading(readResult)).rejects.toMatchObject({ code: 'upstream_error' });
  });

  it('passes on that there is no such resource', async () => {
    await expect(reading()).rejects.toMatchObject({ code: 'upstream_error', details: { rpcCode: -32002 } });
  });

  it('is ended by the caller, and refused for a server that is not there', async () => {
    const { upstream } = upstreamOf([rawServer('old')]);
    const options = { signal: AbortSignal.abort() };
    await expect(upstream.readResource('old', uri, options)).rejects.toMatchObject({ code: 'cancelled' });
    await expect(upstream.readResource('none', uri)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });
});
