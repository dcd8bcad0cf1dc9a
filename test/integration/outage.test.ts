import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolcrib } from '../../src/index.ts';
import { fixtures, temporaryFolder, until } from '../upstream/harness.ts';

describe('a server that crashes at every call', () => {
  it('is found and described with the reason why calls fail for now', async () => {
    const folder = await temporaryFolder();
    const settings = { crashes: 1_000, crashAt: 'call', state: join(folder, 'state') };
    const crib = createToolcrib({
      mcpServers: {
        shaky: { command: process.execPath, args: [join(fixtures, 'lists-server.mjs'), JSON.stringify(settings)] },
      },
      mode: 'discovery',
      embedding: 'none',
    });
    onTestFinished(() => crib.close());
    await crib.sync();
    const name = 'shaky__page_0_tool_0';
    const search = async () => String((await crib.call('search_tools', { query: 'page tool' })).content[0]?.text);
    expect(await search()).not.toContain('fail for now');
    for (let i = 0; i < 3; i += 1) {
      const { content, isError } = await crib.call('call_tool', { name, arguments: {} });
      expect([isError, String(content[0]?.text)]).toEqual([true, expect.stringContaining('may have run')]);
    }
    await until(() => crib.describe(name).unavailable !== undefined, 'the outage to be described');
    expect(await search()).toMatch(/Note: Calls to these servers fail for now: shaky \(.*tried again in \d+ s/);
    const { text } = crib.describe(name);
    expect(text).toMatch(/^Calls fail for now: Server "shaky" .*ended.* It is tried again in \d+ s\.$/m);
    const refused = await crib.call('call_tool', { name, arguments: {} });
    expect(refused._meta).toMatchObject({ 'dev.toolcrib/error': { code: 'upstream_unavailable', mayHaveRun: false } });
    const refusal = String(refused.content[0]?.text);
    expect(refusal).toMatch(/failed \d+ times in a row and is left alone for another \d+ s/);
    for (const shown of [text, refusal, await search()]) expect(shown).not.toContain('/secret/path');
  });
});
