import { type ErrorCode, errorCatalog } from './catalog.ts';
import { type OutcomeCode, outcomes } from './outcomes.ts';

/** The outcome that a caller is told for an error, which may say more exactly what went wrong. */
export function outcomeOf(code: ErrorCode, mayHaveRun = false): OutcomeCode {
  if (code in outcomes) return code as OutcomeCode;
  const entry = errorCatalog[code] as { outcome?: OutcomeCode };
  return entry.outcome ?? (mayHaveRun ? 'upstream_timeout_unknown_outcome' : 'upstream_unavailable');
}
