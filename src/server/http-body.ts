import type { IncomingMessage } from 'node:http';

export type Body = { kind: 'json'; value: unknown } | { kind: 'too_large' } | { kind: 'not_json' };

/** Reads a request's JSON. Stops as soon as it is larger than `maxBytes`; a declared length over it is not read at all. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers['content-length']) > maxBytes) return { kind: 'too_large' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return { kind: 'too_large' };
    chunks.push(chunk);
  }
  try {
    return { kind: 'json', value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { kind: 'not_json' };
  }
}
