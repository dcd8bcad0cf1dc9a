import type { Database } from 'better-sqlite3';
import { createCore } from './0001-core.ts';
import { addTokenCounts } from './0002-token-counts.ts';
import { addDefinitionTrust } from './0003-definition-trust.ts';
import { addCallApprovals } from './0004-call-approvals.ts';
import { addAudit } from './0005-audit.ts';
import { addCallerTokens } from './0006-caller-tokens.ts';
import { addOperations } from './0007-operations.ts';
import { addConsoleTables } from './0008-console.ts';

/** Every migration in order; a file's `user_version` says how many it has been through. Never changed once released. */
export const migrations: readonly ((database: Database) => void)[] = [
  createCore,
  addTokenCounts,
  addDefinitionTrust,
  addCallApprovals,
  addAudit,
  addCallerTokens,
  addOperations,
  addConsoleTables,
];
