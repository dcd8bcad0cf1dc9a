import type { Server } from '@modelcontextprotocol/server';
import { messageOf } from '../errors/index.ts';
import type { Logger } from '../model/index.ts';

/** Tells every connected host that the list has changed; one that has just left does not matter. */
export function notifyListChanged(servers: Iterable<Server>, logger: Logger): void {
  for (const server of servers) {
    server
      .sendToolListChanged()
      .catch((error: unknown) => logger.debug('list_changed could not be sent', { error: messageOf(error) }));
  }
}
