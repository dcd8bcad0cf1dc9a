import type { IncomingMessage } from 'node:http';
import { boundedText, isNestedDeeper } from '../model/index.ts';

export type Body = { kind: 'json' | 'too_deep'; value: unknown } | { kind: 'too_large' } | { kind: 'not_json' };

/**
 * Deepest message: above the 200 levels that the arguments of a call may have, of which its caller is told in a result,
 * and well below the some thousand at which the SDK's checks overflow their stack.
 */
export const bodyMaxLevels = 1_000;

/** Reads a request's JSON. Stops as soon as it is larger than `maxBytes`; a declared length over it is not read at all. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers['content-length']) > maxBytes) return { kind: 'too_large' };
  const text = await boundedText(request, maxBytes);
  if (text === undefined) return { kind: 'too_large' };
  try {
    const value: unknown = JSON.parse(text);
    return { kind: isNestedDeeper(value, bodyMaxLevels) ? 'too_deep' : 'json', value };
  } catch {
    return { kind: 'not_json' };
  }
}
