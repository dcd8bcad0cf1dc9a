/**
 * The one catalogue of errors: a permanent code, a title, what to do next, and who can mend it.
 * Imports only `model`. Codes are never renamed or used again for something else.
 */
export { type ErrorCode, errorCatalog } from './catalog.ts';
export { isToolcribError, messageOf, ToolcribError } from './toolcrib-error.ts';
