import type { ResolvedConfig } from '../config/index.ts';
import { AuditTrail, type AuditTrailDeps } from './audit-trail.ts';

const dayMs = 24 * 60 * 60_000;
const auditDefaults = { maxAgeDays: 90, maxBytes: 64 * 1024 * 1024 };
/** Nobody can read it but this program. */
const auditInMemoryMaxBytes = 4 * 1024 * 1024;

/** The record of calls that the config asks for; undefined for none. */
export function openAudit(config: ResolvedConfig, deps: Omit<AuditTrailDeps, 'retention'>): AuditTrail | undefined {
  const { enabled = true, maxAgeDays, maxBytes } = { ...auditDefaults, ...config.audit };
  if (!enabled) return undefined;
  const most = config.catalogPath === ':memory:' ? Math.min(maxBytes, auditInMemoryMaxBytes) : maxBytes;
  return new AuditTrail({ ...deps, retention: { maxAgeMs: maxAgeDays * dayMs, maxBytes: most } });
}
