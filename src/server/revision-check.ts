import {
  PROTOCOL_VERSION_META_KEY,
  type Transport,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../model/index.ts';

type Message = Parameters<Transport['send']>[0];

/** The revisions in which a request says itself which one it is of. */
const supported = ['2026-07-28'];

/**
 * The error -32022 for a request that says it is of a revision not served here; undefined for all others. The SDK looks at
 * this over HTTP and in the first message over stdio, and MCP 2026-07-28 ("Versioning") asks for it in every request.
 */
export function revisionRefusal(message: Message): Message | undefined {
  if (!('method' in message) || !('id' in message)) return undefined;
  const meta: unknown = message.params?._meta;
  const requested = isJsonObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined;
  if (typeof requested !== 'string' || supported.includes(requested)) return undefined;
  const { code, message: text, data } = new UnsupportedProtocolVersionError({ supported, requested });
  return { jsonrpc: '2.0', id: message.id, error: { code, message: text, data } };
}
