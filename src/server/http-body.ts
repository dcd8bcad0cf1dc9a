import type { IncomingMessage } from 'node:http';
import { isNestedDeeper } from '../model/index.ts';

export type Body = { kind: 'json' | 'too_deep'; value: unknown } | { kind: 'too_large' } | { kind: 'not_json' };

/**
 * Deepest message: above the 200 levels that the arguments of a call may have, of which its caller is told in a result,
 * and well below the some thousand at which the SDK's checks overflow their stack.
 */
export const bodyMaxLevels = 1_000;

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
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return { kind: isNestedDeeper(value, bodyMaxLevels) ? 'too_deep' : 'json', value };
  } catch {
    return { kind: 'not_json' };
  }
}
