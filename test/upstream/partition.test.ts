import { describe, expect, it } from 'vitest';
import { MemoryCredentialStore } from '../../src/upstream/auth/credential-store.ts';
import { partitionOf } from '../../src/upstream/partition.ts';
import { rawServer, spec, upstreamOf } from './harness.ts';

const http = (headers: Record<string, string>) => ({ kind: 'http' as const, url: 'http://x/mcp', headers });
const stdio = (env: Record<string, string>) => ({ kind: 'stdio' as const, command: 'x', args: [], env });

describe('partitionOf', () => {
  it('depends on the values of headers or env, and on the login', () => {
    const partitions = [
      partitionOf(http({}), undefined),
      partitionOf(http({ Authorization: 'a' }), undefined),
      partitionOf(http({ Authorization: 'b' }), undefined),
      partitionOf(http({ Other: 'a' }), undefined),
      partitionOf(http({}), 'login-1'),
      partitionOf(http({}), 'login-2'),
      partitionOf(stdio({ TOKEN: 'a' }), undefined),
      partitionOf(stdio({ TOKEN: 'b' }), undefined),
      partitionOf(stdio({ TOKEN: 'a', B: 'b' }), undefined),
    ];
    expect(new Set(partitions).size).toBe(partitions.length);
    for (const partition of partitions) expect(partition).toMatch(/^[0-9a-f]{32}$/);
  });

  it('does not depend on the order of entries or the case of header names', () => {
    expect(partitionOf(http({ B: '2', Authorization: '1' }), undefined)).toBe(
      partitionOf(http({ authorization: '1', b: '2' }), undefined),
    );
    expect(partitionOf(stdio({ A: '1', B: '2' }), undefined)).toBe(partitionOf(stdio({ B: '2', A: '1' }), undefined));
  });
});

describe('the credentials that the catalog reads lists of', () => {
  it('are those of the start, whatever is connected', () => {
    const { catalog } = upstreamOf([rawServer('raw', {}, { env: { TOKEN: 'a' } })]);
    expect(catalog.credentials.get('raw')).toBe(
      partitionOf(rawServer('raw', {}, { env: { TOKEN: 'a' } }).transport, undefined),
    );
  });

  it('follow a login, also one by another process, before the next search', async () => {
    const credentials = new MemoryCredentialStore();
    const server = spec('srv', http({}));
    const { upstream, catalog } = upstreamOf([server], { credentials });
    catalog.row('srv').listedAt = Date.now();
    const before = catalog.credentials.get('srv');
    const metadata = {
      issuer: 'https://as',
      authorization_endpoint: 'https://as/a',
      token_endpoint: 'https://as/t',
      response_types_supported: ['code'],
    };
    const key = { serverId: 'srv', url: 'http://x/mcp' };
    await credentials.update(key, () => ({
      issuer: 'https://as',
      issued: { 'https://as': { loginId: 'l1', metadata } },
    }));
    upstream.refreshInBackground();
    expect(catalog.credentials.get('srv')).not.toBe(before);
    expect(catalog.credentials.get('srv')).toBe(partitionOf(server.transport, 'l1'));
  });
});
