import fc from 'fast-check';
import type { JsonValue } from '../../../src/model/index.ts';
import { mutated } from '../mutations.ts';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: 1,
};

const request = (id: number, method: string, params: JsonValue = {}): JsonValue => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

const clientInfo = { name: 'fuzz', version: '1' };

/** What a host says to open a connection of the handshake revisions. */
export const initialize = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });

const messages: JsonValue[] = [
  initialize,
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  request(1, 'ping'),
  request(2, 'tools/list'),
  request(3, 'tools/list', { _meta: meta, cursor: 'x' }),
  request(4, 'tools/call', { name: 'search_tools', arguments: { query: 'echo' } }),
  request(5, 'tools/call', {
    name: 'call_tool',
    arguments: { name: 's__echo', arguments: { text: 'a' } },
    _meta: meta,
  }),
  request(6, 'server/discover', { _meta: meta }),
  request(7, 'resources/read', { uri: 'file:///x' }),
  request(8, 'resources/list'),
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4, reason: 'no' } },
  { jsonrpc: '2.0', id: 4, result: { action: 'accept' } },
  [request(9, 'ping'), request(10, 'tools/list')],
];

/** Messages of hosts, in order or with a few places changed. */
export const frames: fc.Arbitrary<JsonValue> = mutated(fc.constantFrom(...messages), 3);
