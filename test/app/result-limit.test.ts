import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { openFromConfig } from '../../src/app/commands.ts';
import { type CreateOptions, createToolcrib, type Toolcrib } from '../../src/index.ts';
import type { CallToolResult } from '../../src/model/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolcrib-limit-'));
const open: Toolcrib[] = [];
afterAll(async () => {
  for (const crib of open) await crib.close();
  rmSync(folder, { recursive: true, force: true });
});

const rawServer = fileURLToPath(new URL('../fixtures/servers/raw-server.mjs', import.meta.url));
const config: CreateOptions = {
  mcpServers: { raw: { command: process.execPath, args: [rawServer] } },
  embedding: 'none',
  mode: 'discovery',
};
const big = { name: 'raw__big', arguments: { bytes: 400_000 } };

function create(options: CreateOptions): Toolcrib {
  const crib = createToolcrib(options);
  open.push(crib);
  return crib;
}

const textOf = ({ content }: CallToolResult) => String(content[0]?.text);
const cutOf = ({ _meta }: CallToolResult) =>
  (_meta?.['dev.toolcrib/cut'] ?? {}) as { handle?: string; nextOffset?: number; totalChars?: number };

describe('the limit of results', () => {
  it('is 25,000 tokens, counted apart, and the rest comes page by page', async () => {
    const crib = create(config);
    await crib.sync();
    const first = await crib.call('call_tool', big);
    expect(textOf(first).length).toBeGreaterThan(50_000);
    expect(textOf(first).length).toBeLessThan(300_000);
    let text = textOf(first);
    for (let cut = cutOf(first); cut.nextOffset !== undefined; ) {
      const page = await crib.call('toolcrib__read_result', { handle: cut.handle, offset: cut.nextOffset });
      text += textOf(page);
      cut = cutOf(page);
    }
    expect(text).toBe('x'.repeat(400_000));
  });

  it('is moved by the config, also to none', async () => {
    const small = create({ ...config, limits: { resultMaxTokens: 200 } });
    await small.sync();
    expect(textOf(await small.call('raw__big', { bytes: 5_000 })).length).toBeLessThan(2_000);
    const none = create({ ...config, limits: { resultMaxTokens: 0 } });
    await none.sync();
    expect(textOf(await none.call('call_tool', big)).length).toBe(400_000);
  });

  it('is not for commands, which end with their handles', async () => {
    const configPath = join(folder, 'toolcrib.json');
    writeFileSync(configPath, JSON.stringify(config));
    const { crib } = await openFromConfig({ configPath, catalogPath: ':memory:', isOneShot: true });
    open.push(crib);
    await crib.sync();
    expect(textOf(await crib.call('raw__big', { bytes: 400_000 })).length).toBe(400_000);
  });
});
