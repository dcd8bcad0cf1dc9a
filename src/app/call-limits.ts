import type { ResolvedConfig } from '../config/index.ts';
import type { CallLimits } from '../model/index.ts';
import { createCallLimits, defaultCallLimits } from '../policy/index.ts';

/** The limits on calls that a config sets, with the defaults for what it leaves out. */
export function callLimitsOf({ rateLimits }: Pick<ResolvedConfig, 'rateLimits'>): CallLimits {
  const { caller, server, tool, ...queue } = rateLimits;
  return createCallLimits({
    ...defaultCallLimits,
    ...queue,
    caller: { ...defaultCallLimits.caller, ...caller },
    server: { ...defaultCallLimits.server, ...server },
    tool: { ...defaultCallLimits.tool, ...tool },
  });
}
