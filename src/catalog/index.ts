/**
 * The catalog: one SQLite file that holds every server's tools, their keyword index and vectors. The only user of
 * SQLite, and the only writer of tool rows. Imports `model` and `errors`; must not import `search`, `policy`,
 * `upstream` or anything above: the analyser comes in through a port.
 */
export { canonicalHash } from './canonical-hash.ts';
export { type Catalog, type CatalogOptions, openCatalog } from './catalog.ts';
export { ingestFingerprint } from './server-table.ts';
