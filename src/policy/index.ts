/**
 * Pure decisions about what may be used: the scan of tool definitions for attacks, which changes of a definition wait
 * for a person, who may call what, and who calls. Imports `model`, `errors` and what lies below them; never the catalog, search or upstream, which get its
 * results through ports and the composition root.
 */
export { createCallerScope } from './callers/scope.ts';
export { isInForce, newToken } from './callers/token.ts';
export { createTokenCheck } from './callers/token-check.ts';
export { createCallPolicy } from './calls/call-policy.ts';
export { idleRules } from './calls/idle-rules.ts';
export { definitionPolicy } from './definition-policy.ts';
export { type CallLimitOptions, createCallLimits, defaultCallLimits } from './limits/call-limits.ts';
export { scanDefinition } from './scan/scan-definition.ts';
export { diffDefinitions } from './trust/diff-definitions.ts';
