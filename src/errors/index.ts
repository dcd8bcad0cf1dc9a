/**
 * The one catalogue of errors: a permanent code, a title, what to do next, and who can mend it.
 * Imports only `model`. Codes are never renamed or used again for something else.
 */
export { type ErrorCode, errorCatalog, unknownOutcomeNext } from './catalog.ts';
export { outcomeOf } from './outcome-of.ts';
export { type OutcomeCode, outcomes } from './outcomes.ts';
export { isToolcribError, messageOf, ToolcribError } from './toolcrib-error.ts';
