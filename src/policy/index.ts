/**
 * Pure decisions about what may be used: so far the scan of tool definitions for attacks. Imports `model`, `errors` and
 * what lies below them; never the catalog, search or upstream, which get its results through the composition root.
 */
export { scanDefinition } from './scan/scan-definition.ts';
