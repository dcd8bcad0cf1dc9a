/**
 * What a model's side sees: the list in the mode in force, the three meta-tools, the way of a call. Knows catalog,
 * search and upstream by their ports alone; must not import an MCP SDK, `catalog`, `search`, `upstream` or anything
 * above.
 */
export { createRouter } from './create-router.ts';
export { metaTools } from './meta-tools.ts';
export { searchText } from './search-answer.ts';
