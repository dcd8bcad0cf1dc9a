import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** JSON-RPC -32602 with a message for whoever wrote the host. */
export function invalidParams(message: string, data?: object): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}
