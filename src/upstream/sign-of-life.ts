import { isProtocolError } from './sdk.ts';
import type { Session } from './session.ts';

/** How long a process that let a request run out of time may take for any message at all before it counts as hung. */
const signOfLifeMs = 5_000;

/**
 * Asks the process of a session for a sign of life (MCP "Ping"; `server/discover` since 2026-07-28, which has no ping). Any
 * message counts, an error as well. False when nothing came in time, or the session ended.
 */
export async function showsLife({ client, era, messagesReceived }: Session): Promise<boolean> {
  const before = messagesReceived();
  const options = { timeout: signOfLifeMs };
  try {
    await (era.era === 'modern' ? client.discover(options) : client.ping(options));
    return true;
  } catch (error) {
    return isProtocolError(error) || messagesReceived() > before;
  }
}
