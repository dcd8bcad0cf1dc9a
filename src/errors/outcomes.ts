interface OutcomeEntry {
  /** What came to pass, for the page of the code. */
  means: string;
  /** Whether the tool may have done its work: `unknown` allows no advice to call again. */
  ran: 'no' | 'yes' | 'unknown' | 'as said';
}

/**
 * The closed list of what can come of a call besides a result of its server. Hosts get the code in
 * `_meta["dev.toolcrib/error"].code` and before the text; the title and the next step stand in `errorCatalog`.
 */
export const outcomes = {
  invalid_arguments: {
    means: 'The arguments break the schema of the tool, or cannot be read. Nothing was sent to the server.',
    ran: 'no',
  },
  unknown_tool: {
    means:
      'No tool has this name, several have it, it cannot be called as its server defines it, or it is not for this caller.',
    ran: 'no',
  },
  not_authorized: {
    means: 'The caller lacks a scope for this tool. It is only told where `outOfScope` is `challenge`.',
    ran: 'no',
  },
  denied: { means: 'A rule of the policy, or the person who was asked, refuses this call.', ran: 'no' },
  approval_required: {
    means: 'A person has to approve this very call, and the host cannot ask. The text holds the id of the request.',
    ran: 'no',
  },
  quarantined: {
    means: 'The definition of the tool, or its server, is held back until a person has looked at it.',
    ran: 'no',
  },
  definition_changed: {
    means: 'The server changed the definition since it was approved. The approved one is what search shows.',
    ran: 'no',
  },
  rate_limited: {
    means: 'Too many calls at once or in a short time. The text says how long to wait.',
    ran: 'no',
  },
  upstream_unavailable: {
    means:
      'The server could not be reached or started, or is left alone for a while after failures. The call was not sent.',
    ran: 'no',
  },
  upstream_timeout_unknown_outcome: {
    means: 'The call was sent, and no answer came: the time ran out, or the connection ended. It may have run.',
    ran: 'unknown',
  },
  upstream_error: {
    means: 'The server answered with an error of the protocol, or with something that is no answer.',
    ran: 'as said',
  },
  result_too_large: {
    means:
      'The call ran, and its result is larger than may be passed on. What there is of it can be read by its handle.',
    ran: 'yes',
  },
  handle_expired: {
    means: 'The handle of a cut result is unknown, belongs to another caller, or is too old.',
    ran: 'no',
  },
  idempotency_conflict: {
    means: 'The idempotency key was used before, with other arguments or another tool.',
    ran: 'no',
  },
  operation_in_progress: {
    means: 'A call with this idempotency key is still running.',
    ran: 'unknown',
  },
  cancelled: { means: 'The caller withdrew the call, or toolcrib was closed under it.', ran: 'as said' },
  login_required: { means: 'The server wants its user to log in, or no longer takes the login.', ran: 'no' },
} as const satisfies Record<string, OutcomeEntry>;

/** What became of a call that gave no result of its server. */
export type OutcomeCode = keyof typeof outcomes;
