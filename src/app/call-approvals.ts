import { ToolcribError } from '../errors/index.ts';
import type { ApprovalRequest, CallApprovals, CallGrant, CallToApprove } from '../model/index.ts';

/** A person grants a call for someone who is about to make it again. */
const defaultMinutes = 15;
/** Whoever wants more than a day writes a rule. */
const maxMinutes = 24 * 60;

export function callsToApprove(approvals: CallApprovals): CallToApprove[] {
  return approvals.waiting().map(toListing);
}

/** Throws `approval_unknown`, `invalid_arguments`. */
export function grantCall(
  approvals: CallApprovals,
  id: string,
  { isRepeatable = false, minutes = defaultMinutes }: CallGrant,
): CallToApprove {
  if (!(minutes > 0 && minutes <= maxMinutes)) {
    throw new ToolcribError('invalid_arguments', `grantCall: minutes must be from 1 to ${maxMinutes}; got ${minutes}.`);
  }
  const expiresAt = Date.now() + minutes * 60_000;
  const granted = approvals.grant(id, { isOnce: !isRepeatable, expiresAt });
  if (granted !== undefined) return toListing(granted);
  throw new ToolcribError('approval_unknown', `No call waits for an approval under the id ${JSON.stringify(id)}.`);
}

function toListing({ serverId, toolName, requestedAt, expiresAt, ...request }: ApprovalRequest): CallToApprove {
  return {
    ...request,
    server: serverId,
    tool: toolName,
    requestedAt: new Date(requestedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
