import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { isToolcribError, type ToolcribError } from '../../src/errors/index.ts';
import { temporaryFile, temporaryFolder } from './temporary-folder.ts';

function load(content: unknown, options: Omit<Parameters<typeof loadConfig>[0], 'path'> = {}) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return loadConfig({ env: {}, ...options, path: temporaryFile('c.json', text) });
}

function errorOf(work: () => unknown): ToolcribError {
  try {
    work();
  } catch (error) {
    if (isToolcribError(error)) return error;
    throw error;
  }
  throw new Error('expected a ToolcribError, nothing was thrown');
}

describe('loadConfig', () => {
  it('fills in the defaults', () => {
    const config = load({ mcpServers: { a: { command: 'x' } } });
    expect(config).toMatchObject({
      mode: 'auto',
      contextWindow: 200_000,
      thresholdPercent: 5,
      liveModeSwitch: false,
      outputSchema: 'warn',
      pinned: [],
      naming: { nameMaxLength: 64, prefix: true },
      embedding: { provider: 'minilm' },
      policy: [],
      limits: {},
      http: {},
      warnings: [],
      disabled: [],
      secrets: [],
    });
    expect(config.servers).toEqual([
      {
        id: 'a',
        position: 0,
        transport: { kind: 'stdio', command: 'x', args: [], env: {} },
        timeoutMs: 60_000,
        maxTimeoutMs: 600_000,
        connectTimeoutMs: 30_000,
        tools: { include: [], exclude: [] },
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('takes the catalog from the option, the config, or the place of the config', () => {
    const path = temporaryFile('c.json', '{"catalog": "sub/own.sqlite"}');
    expect(loadConfig({ path }).catalogPath).toBe(join(dirname(path), 'sub/own.sqlite'));
    expect(loadConfig({ path, catalogPath: '/else/where.sqlite' }).catalogPath).toBe('/else/where.sqlite');
    expect(loadConfig({ path, catalogPath: ':memory:' }).catalogPath).toBe(':memory:');
    expect(load({}).catalogPath).toMatch(/catalog-[0-9a-f]{16}\.sqlite$/);
  });

  it('keeps only limits and http settings that it knows', () => {
    const config = load({ limits: { parallelStarts: 2, parallelStart: 3 }, http: { port: 0 } });
    expect(config.limits).toEqual({ parallelStarts: 2 });
    expect(config.http).toEqual({ port: 0 });
    expect(config.warnings).toEqual([expect.objectContaining({ jsonPath: 'limits.parallelStart' })]);
  });

  it('tells all problems at once, each with its place, what was expected and what came', () => {
    const text = `{
  "mode": "fast",
  "thresholdPercent": 120,
  "pinned": ["a", 5],
  "http": { "port": "80" },
  "nameMaxLength": 63.5
}`;
    const error = errorOf(() => load(text));
    expect(error.code).toBe('config_invalid');
    expect(error.details.problems).toEqual([
      {
        severity: 'error',
        path: expect.stringContaining('c.json'),
        line: 2,
        column: 11,
        jsonPath: 'mode',
        message: 'expected one of "auto", "direct", "discovery", got "fast"',
        expected: 'one of "auto", "direct", "discovery"',
        got: '"fast"',
      },
      expect.objectContaining({ line: 3, column: 23, jsonPath: 'thresholdPercent', got: '120' }),
      expect.objectContaining({ line: 4, column: 19, jsonPath: 'pinned[1]', expected: 'a text', got: '5' }),
      expect.objectContaining({ line: 6, column: 20, jsonPath: 'nameMaxLength', got: '63.5' }),
      expect.objectContaining({ line: 5, column: 21, jsonPath: 'http.port', got: 'a text' }),
    ]);
    expect(error.message).toContain('has 5 errors:');
    expect(error.message).toContain('c.json:2:11: mode: expected one of');
  });

  it.each([
    ['[]', 'expected an object, got a list'],
    ['"text"', 'expected an object, got a text'],
    ['', 'expected a value'],
    ['{"mcpServers": []}', 'mcpServers: expected an object of servers by id, got a list'],
    ['{"mcpServers": {}, "servers": {}}', 'servers: expected either "mcpServers" or "servers", got both'],
    ['{"a": }', 'expected a value'],
  ])('%s is invalid', (text, message) => {
    expect(errorOf(() => load(text))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(message),
    });
  });

  it('says what to do when there is no file', () => {
    const missing = join(temporaryFolder(), 'none.json');
    expect(errorOf(() => loadConfig({ path: missing }))).toMatchObject({
      code: 'config_not_found',
      message: `There is no file ${missing}.`,
      next: 'Check the path after --config.',
    });
  });

  it('says when the path is no file', () => {
    const error = errorOf(() => loadConfig({ path: temporaryFolder() }));
    expect(error).toMatchObject({ code: 'config_unreadable', message: expect.stringContaining('it is a directory') });
  });

  it('names a file of the current directory without running it', () => {
    const previous = { cwd: process.cwd(), home: process.env.XDG_CONFIG_HOME };
    onTestFinished(() => {
      process.chdir(previous.cwd);
      if (previous.home === undefined) delete process.env.XDG_CONFIG_HOME;
      else process.env.XDG_CONFIG_HOME = previous.home;
    });
    const folder = temporaryFolder();
    process.env.XDG_CONFIG_HOME = folder;
    process.chdir(folder);
    expect(errorOf(() => loadConfig())).toMatchObject({
      code: 'config_not_found',
      next: expect.stringContaining('toolcrib import'),
    });
    writeFileSync(join(folder, '.mcp.json'), '{"mcpServers": {"a": {"command": "x"}}}');
    expect(errorOf(() => loadConfig())).toMatchObject({
      code: 'config_not_found',
      next: expect.stringContaining('--config .mcp.json'),
    });

    mkdirSync(join(folder, 'toolcrib'));
    writeFileSync(join(folder, 'toolcrib', 'toolcrib.json'), '{"mcpServers": {"own": {"command": "x"}}}');
    expect(loadConfig().servers.map(({ id }) => id)).toEqual(['own']);
  });
});
