import { ToolcribError } from '../errors/index.ts';
import type { Toolcrib } from '../model/index.ts';
import { type InProcessServing, serveInProcess } from '../server/index.ts';
import { ToolcribInstance } from './toolcrib-instance.ts';

export type { ClientTransport, InProcessServing } from '../server/index.ts';

/**
 * A toolcrib as an MCP server in this very process: give `transport` to an MCP client's `connect`. A client that declares
 * elicitation is asked what servers want to know, and about calls that need a yes, unless the toolcrib has an `onApproval`.
 * Closing the client ends the server, not the toolcrib; closing the toolcrib ends both. Throws `usage_invalid` for what `createToolcrib` did not make, `closed`.
 */
export function mcpServer(crib: Toolcrib): InProcessServing {
  if (!(crib instanceof ToolcribInstance)) {
    throw new ToolcribError('usage_invalid', 'mcpServer takes what createToolcrib gave, and got something else.', {
      next: 'Pass the toolcrib itself, made by the same copy of the package.',
    });
  }
  const serving = serveInProcess(crib.router(), crib.face());
  const forget = crib.beforeClose(() => serving.close());
  return { ...serving, closed: serving.closed.finally(forget) };
}
