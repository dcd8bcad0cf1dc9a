import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isToolcribError, messageOf, type ToolcribError } from '../errors/index.ts';
import type { Face } from './face.ts';
import { principalOf } from './principal.ts';
import { thirdPartyMeta } from './wire-result.ts';

/**
 * Answers for resources: those that a tool's result named can be read, as links need not be listed (MCP "Tools", resource
 * links). The lists are empty: toolcrib offers no resources of its own and none of the servers behind it.
 */
export function serveResources(server: Server, face: Face): void {
  server.setRequestHandler('resources/list', () => ({ resources: [] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) => read(face, uri, context));
}

async function read({ router, logger }: Face, uri: string, context: ServerContext): Promise<ReadResourceResult> {
  try {
    const options = { signal: context.mcpReq.signal, ...principalOf(context) };
    const { contents, _meta } = await router.readResource(uri, options);
    const ours = _meta === undefined ? {} : { _meta: thirdPartyMeta(_meta) };
    return { contents: contents as ReadResourceResult['contents'], ...ours };
  } catch (error) {
    if (isToolcribError(error)) throw protocolError(error, uri);
    logger.error('reading a resource failed inside toolcrib', { error: messageOf(error) });
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'toolcrib itself failed while it read the resource.');
  }
}

/** Hosts are told by -32602 that a resource is not there for them, and by -32603 that it could not be had. */
function protocolError(error: ToolcribError, uri: string): ProtocolError {
  const message = `${error.message} ${error.next}`;
  const { rpcCode } = error.details;
  const isNotFound = rpcCode === ProtocolErrorCode.ResourceNotFound || rpcCode === ProtocolErrorCode.InvalidParams;
  const isRefused = error.code === 'unknown_resource' || error.code === 'ambiguous_resource';
  if (isNotFound || isRefused) return new ResourceNotFoundError(uri, message);
  return new ProtocolError(ProtocolErrorCode.InternalError, message);
}
