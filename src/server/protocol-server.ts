import type { CacheHint, Server, Tool } from '@modelcontextprotocol/server';
import { callTool } from './call-tool.ts';
import { canListChange, type Era, type Face } from './face.ts';
import { PassThroughServer } from './pass-through-server.ts';
import { principalOf } from './principal.ts';
import { serveResources } from './resources.ts';
import { toolPage } from './tool-pages.ts';

/**
 * One protocol instance over a router: made per stdio connection and legacy session, and per request on modern HTTP,
 * so it holds nothing of its own.
 */
export function createProtocolServer(face: Face, era: Era): Server {
  const { router, serverInfo } = face;
  const mayChange = canListChange(face);
  const server = new PassThroughServer(serverInfo, {
    capabilities: { tools: mayChange ? { listChanged: true } : {}, resources: {} },
    instructions: router.instructions,
    cacheHints: { ...fixedFreshness, 'tools/list': listFreshness(face), 'resources/read': unkept },
  });
  server.setRequestHandler('tools/list', (request, context) => {
    const list = router.listTools(principalOf(context).scope);
    const { tools, ...next } = toolPage(list, request.params?.cursor);
    return { tools: tools as unknown as Tool[], ...next };
  });
  serveResources(server, face);
  server.setRequestHandler('tools/call', async (request, context) =>
    server.passThrough(context, await callTool(face, era, server, request.params, context)),
  );
  return server;
}

/** An hour: the three definitions are the same bytes for the life of a process and change only with a release. */
const fixedListTtlMs = 3_600_000;
/** A minute: upstream servers change rarely, hosts that listen hear of it at once, and the others catch up soon. */
const changingListTtlMs = 60_000;

/**
 * The fixed list is equal for everyone, unless callers have scopes of their own. Direct lists come from servers that are
 * reached with the user's own credentials, so no shared cache may hold them (MCP 2026-07-28 "Caching").
 */
function listFreshness(face: Face): CacheHint {
  return canListChange(face)
    ? { ttlMs: changingListTtlMs, cacheScope: 'private' }
    : { ttlMs: fixedListTtlMs, cacheScope: face.hasCallers?.() ? 'private' : 'public' };
}

const unchanging: CacheHint = { ttlMs: fixedListTtlMs, cacheScope: 'public' };
const fixedFreshness = {
  'server/discover': unchanging,
  'resources/list': unchanging,
  'resources/templates/list': unchanging,
};

/** Whether a resource of a server stays as it is only that server knows. */
const unkept: CacheHint = { ttlMs: 0, cacheScope: 'private' };
