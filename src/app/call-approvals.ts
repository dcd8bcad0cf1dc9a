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
export function grantCall(approvals: CallApprovals, id: string, grant: CallGrant): CallToApprove {
  const granted = approvals.grant(id, extentOf(grant));
  if (granted !== undefined) return toListing(granted);
  throw unknownApproval(id);
}

/** Refuses a call that waits: the next time it is made, or for so many minutes. Throws `approval_unknown`, `invalid_arguments`. */
export function refuseCall(approvals: CallApprovals, id: string, grant: CallGrant): CallToApprove {
  const refused = approvals.refuse(id, extentOf(grant));
  if (refused !== undefined) return toListing(refused);
  throw unknownApproval(id);
}

function extentOf({ isRepeatable = false, minutes = defaultMinutes }: CallGrant) {
  if (!(minutes > 0 && minutes <= maxMinutes)) {
    throw new ToolcribError('invalid_arguments', `minutes must be from 1 to ${maxMinutes}; got ${minutes}.`);
  }
  return { isOnce: !isRepeatable, expiresAt: Date.now() + minutes * 60_000 };
}

function unknownApproval(id: string): ToolcribError {
  return new ToolcribError('approval_unknown', `No call waits for an approval under the id ${JSON.stringify(id)}.`);
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
