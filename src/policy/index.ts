/**
 * Pure decisions about what may be used: the scan of tool definitions for attacks, and which changes of a definition wait
 * for a person. Imports `model`, `errors` and what lies below them; never the catalog, search or upstream, which get its
 * results through ports and the composition root.
 */
export { definitionPolicy } from './definition-policy.ts';
export { scanDefinition } from './scan/scan-definition.ts';
export { diffDefinitions } from './trust/diff-definitions.ts';
