import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SyncReport } from '../../../src/model/index.ts';
import { checkContext, checkHosts, checkServer } from '../../../src/setup/index.ts';
import { stats } from '../../cli/scripted-toolcrib.ts';
import { put, temporaryPlaces } from '../places.ts';

const report: SyncReport = { server: 's', state: 'ok', tools: 3, added: 3, changed: 0, removed: 0, durationMs: 12 };

describe('checkServer', () => {
  it.each([
    [{}, 'ready', { status: 'ok', message: '3 tools', durationMs: 12 }],
    [{ tools: 0 }, 'ready', { status: 'warning', fix: expect.stringContaining('key') }],
    [{ state: 'disabled' }, 'disabled', { status: 'ok', message: 'switched off' }],
    [
      { state: 'disabled', error: `variable \${X} is not set` },
      'disabled',
      { status: 'error', fix: expect.stringContaining('Set the variable') },
    ],
    [{ state: 'failed', error: 'spawn x ENOENT' }, 'failed', { status: 'error', fix: expect.stringContaining('PATH') }],
    [
      { state: 'failed', error: 'did not answer in time' },
      'failed',
      { fix: expect.stringContaining('connectTimeoutMs') },
    ],
    [{ state: 'failed', error: 'could not be reached' }, 'failed', { fix: expect.stringContaining('URL') }],
    [
      { state: 'failed', error: 'the process ended with exit code 3' },
      'failed',
      { fix: expect.stringContaining('by hand') },
    ],
    [{ state: 'failed', error: 'anything' }, 'login_required', { fix: 'Log in: toolcrib login s' }],
  ] as const)('%j, %s', (more, state, expected) => {
    expect(checkServer({ ...report, ...more }, state)).toMatchObject({ area: 'servers', subject: 's', ...expected });
  });
});

describe('checkContext', () => {
  it('warns of a large list in direct mode alone', () => {
    expect(checkContext(stats, 200_000)).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('580 tokens'),
    });
    expect(checkContext({ ...stats, mode: 'direct' }, 200_000)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('206.2 %'),
      fix: expect.stringContaining('"mode"'),
    });
  });
});

const discovery = { mode: 'discovery', tools: 500 } as const;
const direct = { mode: 'direct', tools: 500 } as const;

describe('checkHosts', () => {
  it('says nothing of hosts that do not start toolcrib', () => {
    const places = temporaryPlaces();
    put(join(places.currentFolder, '.mcp.json'), { mcpServers: { a: { command: 'a' } } });
    expect(checkHosts(discovery, places)).toEqual([]);
  });

  it('finds an entry whose program is gone', () => {
    const places = temporaryPlaces();
    const args = [join(places.home, 'gone.js'), 'serve'];
    const path = put(join(places.home, '.cursor', 'mcp.json'), {
      mcpServers: { toolcrib: { command: process.execPath, args } },
    });
    expect(checkHosts(discovery, places)[0]).toMatchObject({
      status: 'error',
      message: expect.stringContaining('gone.js'),
      fix: `Write the entry anew: toolcrib install cursor --file ${path}`,
    });
  });

  it('finds servers that a host still starts by itself', () => {
    const places = temporaryPlaces();
    put(join(places.home, '.cursor', 'mcp.json'), {
      mcpServers: { other: { command: 'x' }, toolcrib: { command: 'toolcrib', args: ['serve'] } },
    });
    expect(checkHosts(discovery, places)[0]).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('beside it other'),
    });
  });

  it('names a file that cannot be read', () => {
    const places = temporaryPlaces();
    put(join(places.currentFolder, '.mcp.json'), '{ "mcpServers": ');
    expect(checkHosts(discovery, places)).toMatchObject([{ status: 'warning', fix: 'Mend the file.' }]);
  });
});

describe('double search', () => {
  const entry = { command: 'toolcrib', args: ['serve'] };

  function inClaudeCode(more: object, settings?: object, env = {}) {
    const places = temporaryPlaces({ env });
    put(join(places.currentFolder, '.mcp.json'), { mcpServers: { toolcrib: { ...entry, ...more } } });
    if (settings !== undefined) put(join(places.home, '.claude', 'settings.json'), settings);
    return places;
  }
  const second = (places: ReturnType<typeof temporaryPlaces>, listed: Parameters<typeof checkHosts>[0] = discovery) =>
    checkHosts(listed, places)[1];

  it('warns where Claude Code defers the meta-tools, and names both ways out', () => {
    const check = second(inClaudeCode({}));
    expect(check).toMatchObject({ status: 'warning', subject: 'tool search of Claude Code' });
    for (const way of ['"alwaysLoad": true', '"ENABLE_TOOL_SEARCH": "false"', '"mode": "direct"'])
      expect(check?.fix).toContain(way);
  });

  it.each([
    ['the entry is always loaded', { alwaysLoad: true }, undefined, {}],
    ['it is switched off in the settings', {}, { env: { ENABLE_TOOL_SEARCH: 'false' } }, {}],
    ['it is switched off in the shell', {}, undefined, { ENABLE_TOOL_SEARCH: 'false' }],
  ])('is content where %s', (_, more, settings, env) => {
    expect(second(inClaudeCode(more, settings, env))?.status).toBe('ok');
  });

  it('lets the settings of a project go before those of the user and the shell', () => {
    const places = inClaudeCode({}, { env: { ENABLE_TOOL_SEARCH: 'false' } }, { ENABLE_TOOL_SEARCH: 'false' });
    put(join(places.currentFolder, '.claude', 'settings.json'), { env: { ENABLE_TOOL_SEARCH: 'auto' } });
    expect(second(places)?.status).toBe('warning');
  });

  it('is content where the search of Claude Code is the only one', () => {
    expect(second(inClaudeCode({}), direct)?.status).toBe('ok');
  });

  it('warns where VS Code groups the many tools of direct mode', () => {
    const places = temporaryPlaces();
    put(join(places.currentFolder, '.vscode', 'mcp.json'), { servers: { toolcrib: entry } });
    expect(second(places, direct)).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('"mode": "discovery"'),
    });
    expect(second(places)?.status).toBe('ok');
  });

  it('tells how Claude Desktop is set', () => {
    const places = temporaryPlaces();
    put(join(places.home, '.config', 'Claude', 'claude_desktop_config.json'), { mcpServers: { toolcrib: entry } });
    expect(second(places)?.message).toContain('"Tools already loaded"');
  });
});
