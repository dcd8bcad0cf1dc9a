import type { ToolcribInstance } from '../../../src/app/toolcrib-instance.ts';
import { createToolcrib } from '../../../src/index.ts';
import { fixtureServer } from '../../fixtures/servers/start.ts';
import { keepingLogger } from '../../server/keeping-logger.ts';

/** A toolcrib over one server, and what it takes to serve it. */
export async function servedCrib() {
  const crib = createToolcrib({
    embedding: 'none',
    mode: 'discovery',
    policy: [{ action: 'allow' }],
    mcpServers: { s: { command: process.execPath, args: [fixtureServer('raw-server.mjs')] } },
  });
  await crib.sync();
  const router = (crib as ToolcribInstance).router();
  return { crib, router, face: { serverInfo: { name: 'toolcrib', version: '0' }, logger: keepingLogger() } };
}
