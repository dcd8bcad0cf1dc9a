import type { ServerTrust } from '../model/index.ts';
import type { Database } from './database.ts';
import { indexState } from './pending-texts.ts';

/**
 * Brings the tools of a server row from one trust to another: nothing that no person approved is used from a server in
 * quarantine; out of it, what the scan allows. A change that waits is decided anew with the next list.
 */
export function applyTrust(database: Database, serverPk: number, before: ServerTrust, trust: ServerTrust): void {
  if (before === trust) return;
  database.prepare('UPDATE server SET trust = ? WHERE pk = ?').run(trust, serverPk);
  const isQuarantine = trust === 'quarantine';
  const reason = isQuarantine ? 'its server is configured as quarantine, and nobody has approved it yet' : null;
  database
    .prepare(
      `UPDATE tool SET hold = ?, hold_reason = ?, findings = NULL, index_state = ${indexState.absent}
       WHERE server_pk = ? AND approved = 0 AND hold = ?`,
    )
    .run(isQuarantine ? 'quarantined' : '', reason, serverPk, isQuarantine ? '' : 'quarantined');
  database.prepare("UPDATE tool SET listed_hash = '' WHERE server_pk = ? AND hold = 'changed'").run(serverPk);
}
