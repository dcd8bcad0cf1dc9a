/** Makes `docs/console.png`: the console over the servers of the demo, after some calls. Needs a build and a Chromium. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoServers } from '../../bench/demo/servers.ts';
import { launchChromium } from '../../bench/speed/chromium.ts';
import { startConsole } from '../../bench/speed/console-process.ts';
import { createToolcrib } from '../../src/index.ts';

const picturePath = fileURLToPath(new URL('../console.png', import.meta.url));
const viewport = { width: 1200, height: 860 };

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-picture-'));
const configPath = join(folder, 'toolcrib.json');
const catalog = join(folder, 'catalog.sqlite');
const policy = [{ action: 'ask', server: 'github', tool: 'create_*' }];
writeFileSync(configPath, JSON.stringify({ mcpServers: demoServers(folder), mode: 'discovery', policy }));

const places = ['--config', configPath, '--catalog', catalog];
try {
  await useTheServers();
  const running = startConsole(places, folder);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport, colorScheme: 'light' });
    await page.goto(await running.nextLink());
    await page.getByRole('row', { name: /^github/ }).waitFor();
    await page.screenshot({ path: picturePath });
  } finally {
    await browser.close();
    await running.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Lists them and makes some calls, of which some fail and one waits for a person. */
async function useTheServers(): Promise<void> {
  const crib = createToolcrib({ configPath, catalog });
  try {
    await crib.sync();
    const note = join(folder, 'note.txt');
    await crib.call('filesystem__write_file', { path: note, content: 'Handed out over the counter.' });
    for (let i = 0; i < 12; i += 1) await crib.call('filesystem__read_text_file', { path: note });
    for (let i = 0; i < 5; i += 1) await crib.call('memory__read_graph', {});
    for (let i = 0; i < 3; i += 1) await crib.call('filesystem__read_text_file', { file: note });
    await crib.call('github__create_issue', { owner: 'acme', repo: 'shop', title: 'The counter is closed on Mondays' });
    for (const query of ['xqzrt', 'qqzwv fjord']) await crib.call('search_tools', { query });
    await crib.settled();
  } finally {
    await crib.close();
  }
}
