import { isProtocolError } from './sdk.ts';
import type { Session } from './session.ts';

/**
 * Asks the process of a session for a sign of life (MCP "Ping"; `server/discover` since 2026-07-28, which has no ping). Any
 * message counts, an error as well. False when nothing came within `withinMs`, or the session ended.
 */
export async function showsLife({ client, era, messagesReceived }: Session, withinMs: number): Promise<boolean> {
  const before = messagesReceived();
  const options = { timeout: withinMs };
  try {
    await (era.era === 'modern' ? client.discover(options) : client.ping(options));
    return true;
  } catch (error) {
    return isProtocolError(error) || messagesReceived() > before;
  }
}
