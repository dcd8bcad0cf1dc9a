import { describe, expect, it } from 'vitest';
import {
  type ErrorCode,
  errorCatalog,
  outcomeOf,
  outcomes,
  ToolcribError,
  unknownOutcomeNext,
} from '../../src/errors/index.ts';

const codes = Object.keys(errorCatalog) as ErrorCode[];

describe('the outcomes of a call', () => {
  it('are a closed list', () => {
    expect(Object.keys(outcomes).sort()).toEqual([
      'approval_required',
      'cancelled',
      'definition_changed',
      'denied',
      'handle_expired',
      'idempotency_conflict',
      'invalid_arguments',
      'login_required',
      'not_authorized',
      'operation_in_progress',
      'quarantined',
      'rate_limited',
      'result_too_large',
      'unknown_tool',
      'upstream_error',
      'upstream_timeout_unknown_outcome',
      'upstream_unavailable',
    ]);
  });

  it('are errors of the catalogue, each with its next step', () => {
    for (const code of Object.keys(outcomes)) expect(codes).toContain(code);
  });

  it.each(codes)('tell %s as one of them, whether or not the call may have run', (code) => {
    for (const mayHaveRun of [false, true]) expect(Object.keys(outcomes)).toContain(outcomeOf(code, mayHaveRun));
  });

  it('tell a fault without an outcome of its own by whether the call may have run', () => {
    expect([outcomeOf('internal', true), outcomeOf('internal', false)]).toEqual([
      'upstream_timeout_unknown_outcome',
      'upstream_unavailable',
    ]);
  });
});

describe('where it is not known whether a call ran', () => {
  /** Advice to do the same thing once more, in the words that the catalogue has for it. */
  const retry = /\b(again|retry|repeat|once more|later|new key)\b/i;

  it.each(codes)('%s gives no advice to call again', (code) => {
    const { next } = new ToolcribError(code, 'It may have run.', { details: { mayHaveRun: true } });
    expect(next.replace('Do not repeat it unless it only reads', '')).not.toMatch(retry);
  });

  it.each(codes.filter((code) => outcomes[code as keyof typeof outcomes]?.ran === 'unknown'))(
    '%s, which always stands for that, has none of its own either',
    (code) => {
      if (code !== 'operation_in_progress') expect(errorCatalog[code].next).toBe(unknownOutcomeNext);
    },
  );

  it('the test knows such advice when it sees it', () => {
    expect(errorCatalog.cancelled.next).toMatch(retry);
    expect(errorCatalog.upstream_unavailable.next).toMatch(retry);
  });
});
