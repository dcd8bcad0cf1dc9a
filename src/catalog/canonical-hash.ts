import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonValue } from '../model/index.ts';

/** SHA-256 (hex) over the RFC 8785 form: equal for equal JSON, whatever the order of keys and the spacing. */
export function canonicalHash(value: JsonValue): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? 'null')
    .digest('hex');
}

/** SHA-256 (hex) of a text. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
