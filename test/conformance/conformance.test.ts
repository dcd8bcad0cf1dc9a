import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Workspace } from '../e2e/program.ts';
import { type Revision, revisions, type SuiteRun, testClient, testServer } from './suite.ts';

const fixture = fileURLToPath(new URL('../fixtures/servers/conformance-server.mjs', import.meta.url));

describe.each(revisions)('the conformance suite, revision %s', { timeout: 300_000 }, (revision) => {
  it('finds nothing unexpected in toolcrib as a server, in direct mode', async () => {
    const url = await serve('direct', revision);
    expectNothingNew(await testServer(url, revision, 'expected-failures.yml'));
  });

  it('finds nothing unexpected in toolcrib as a server, in discovery mode', async () => {
    const url = await serve('discovery', revision);
    expectNothingNew(await testServer(url, revision, 'expected-failures-discovery.yml'));
  });

  it('finds nothing unexpected in toolcrib as a client', async () => {
    expectNothingNew(await testClient(revision, 'expected-failures.yml'));
  });
});

/** toolcrib over HTTP, with one server behind it that speaks the same revision. */
async function serve(mode: 'direct' | 'discovery', revision: Revision): Promise<string> {
  const args = revision === '2026-07-28' ? [fixture] : [fixture, 'legacy'];
  const server = { command: process.execPath, args, prefix: mode === 'discovery' };
  const workspace = await Workspace.create({ mode, mcpServers: { conformance: server } });
  onTestFinished(() => workspace.remove());
  await workspace.json('sync');
  return (await workspace.serveHttp()).url;
}

/** Unscored scenarios never change the exit code. */
function expectNothingNew({ code, output, failures }: SuiteRun): void {
  const end = output.slice(output.lastIndexOf('Total: '));
  const unexpected = failures.filter((failure) => end.includes(`✗ ${failure.split(' ', 1)[0]?.split(':', 1)[0]}`));
  expect(code, `${end}\n${unexpected.join('\n')}`).toBe(0);
  expect(end).toMatch(/^Total: \d{2,} passed/);
}
