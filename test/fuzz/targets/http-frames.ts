import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { serveHttp } from '../../../src/server/index.ts';
import { mutatedText, texts } from '../mutations.ts';
import { type FuzzTarget, must } from '../target.ts';
import { frames, initialize } from './frames.ts';
import { servedCrib } from './served-crib.ts';

interface Post {
  body: string;
  era: 'modern' | 'session' | 'none';
  /** Over what the era says. */
  headers: Record<string, string>;
  httpMethod: 'POST' | 'GET' | 'DELETE' | 'PUT';
}

const headerText = texts.map((text) => text.replace(/[^\t\x20-\x7e]/g, '').slice(0, 1_000));
const bodies = fc.oneof(
  { weight: 5, arbitrary: frames.map((frame) => JSON.stringify(frame)) },
  { weight: 2, arbitrary: mutatedText(frames.map((frame) => JSON.stringify(frame))) },
  texts,
);
const cases: fc.Arbitrary<Post> = fc.record({
  body: bodies,
  era: fc.constantFrom<Post['era'][]>('modern', 'session', 'none'),
  headers: fc.dictionary(
    fc.constantFrom(
      'mcp-method',
      'mcp-name',
      'mcp-protocol-version',
      'mcp-session-id',
      'accept',
      'content-type',
      'origin',
    ),
    headerText,
    { maxKeys: 2 },
  ),
  httpMethod: fc.oneof(
    { weight: 12, arbitrary: fc.constant('POST' as const) },
    fc.constantFrom('GET', 'PUT'),
  ) as fc.Arbitrary<Post['httpMethod']>,
});

/** How long a stream that stays open is read. */
const streamReadMs = 50;

/** A host over HTTP: whatever it posts, it is answered, never with a fault of ours, and others go on. */
export async function httpTarget(): Promise<FuzzTarget<Post>> {
  const { crib, router, face } = await servedCrib();
  const serving = await serveHttp(router, { ...face, port: 0 });
  const plain = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const opened = await fetch(serving.url, { method: 'POST', headers: plain, body: JSON.stringify(initialize) });
  const session = String(opened.headers.get('mcp-session-id'));
  await opened.text();
  const run = async ({ body, era, headers, httpMethod }: Post) => {
    const gone = new AbortController();
    const response = await fetch(serving.url, {
      method: httpMethod,
      headers: { ...plain, ...eraHeaders(era, session, body), ...headers },
      signal: gone.signal,
      ...(httpMethod === 'GET' ? {} : { body }),
    });
    const isStream = String(response.headers.get('content-type')).includes('event-stream');
    const text = await Promise.race([response.text().catch(() => ''), ...(isStream ? [delay(streamReadMs, '')] : [])]);
    gone.abort();
    must(response.status < 500, `HTTP ${response.status}: ${text}`);
    if (!isStream && text !== '') JSON.parse(text);
  };
  const close = async () => {
    await serving.close();
    await crib.close();
  };
  return { name: 'http', cases, run, close };
}

function eraHeaders(era: Post['era'], session: string, body: string): Record<string, string> {
  if (era === 'none') return {};
  if (era === 'session') return { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  const method = /"method":"([\w/]+)"/.exec(body)?.[1] ?? 'ping';
  const name = /"name":"([\w]+)"/.exec(body)?.[1];
  return {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}
