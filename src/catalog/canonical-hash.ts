import { createHash } from 'node:crypto';
import type { JsonValue } from '../model/index.ts';
import { CanonicalWriter } from './canonical-writer.ts';

const canonical = new CanonicalWriter();

/** SHA-256 (hex) over the RFC 8785 form: equal for equal JSON, whatever the order of keys and the spacing. */
export function canonicalHash(value: JsonValue): string {
  return sha256(canonical.write(value));
}

/** SHA-256 (hex) of a text. */
export function textHash(text: string): string {
  return sha256(text);
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
