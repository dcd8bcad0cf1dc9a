/**
 * The MCP clients: starts servers, reaches them over HTTP, settles the protocol era, lists their tools into the catalog,
 * keeps the lists fresh, and calls tools. The only user of the SDK's client package. Imports `model` and
 * `errors`; meets the catalog as a port and never imports `catalog`, `search`, `policy` or anything above.
 */
export { CredentialFile } from './auth/credential-file.ts';
export { createUpstream, type UpstreamOptions } from './upstream.ts';
