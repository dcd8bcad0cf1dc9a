import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpTransport } from '../../../src/model/index.ts';
import { CredentialFile } from '../../../src/upstream/index.ts';
import {
  type AuthorizationServerOptions,
  authorizationServer,
  consentInBrowser,
} from '../../fixtures/servers/authorization-server.ts';
import { type ProtectedServerOptions, protectedServer } from '../../fixtures/servers/protected-server.ts';
import { spec, temporaryFolder, tool, upstreamOf } from '../harness.ts';

export interface SetUpOptions {
  as?: AuthorizationServerOptions;
  mcp?: Partial<ProtectedServerOptions>;
}

/** An authorization server, an MCP server that it protects, and a file for credentials. */
export async function setUp(options: SetUpOptions = {}) {
  const as = await authorizationServer(options.as);
  const mcp = await protectedServer({ authorizationServers: [as.issuer], inspect: as.inspect, ...options.mcp });
  const file = join(await temporaryFolder(), 'credentials.json');
  return {
    as,
    mcp,
    file,
    /** One more process, as far as credentials go. */
    open: (transport: Partial<HttpTransport> = {}, part: Parameters<typeof upstreamOf>[1] = {}) =>
      upstreamOf([spec('vault', { kind: 'http', url: mcp.url, headers: {}, ...transport })], {
        credentials: new CredentialFile(file),
        ...part,
      }),
    stored: () => readStored(file),
  };
}

/** The one entry of a file of credentials. */
function readStored(file: string) {
  const { servers } = JSON.parse(readFileSync(file, 'utf8')) as {
    servers: Record<string, { issuer: string; issued: Record<string, Issued>; challenge?: Record<string, unknown> }>;
  };
  const [entry] = Object.values(servers);
  if (entry === undefined) throw new Error('There are no credentials.');
  return { ...entry, now: entry.issued[entry.issuer] as Issued };
}

interface Issued {
  tokens?: { access_token: string; refresh_token?: string };
  client?: { client_id: string; scope?: string };
  redirectUrl?: string;
  scope?: string;
  resource?: string;
}

export const whoami = tool('vault', 'whoami');

/** A user who agrees to everything, and notes where they were sent. */
export function browser() {
  const visited: URL[] = [];
  const failures: unknown[] = [];
  return {
    visited,
    failures,
    onAuthorizationUrl: (url: string) => {
      visited.push(new URL(url));
      consentInBrowser(url).catch((error: unknown) => failures.push(error));
    },
  };
}
