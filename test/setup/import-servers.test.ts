import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import {
  applyImport,
  createConfig,
  findHostConfigs,
  hostFileAt,
  planImport,
  readHostConfig,
} from '../../src/setup/index.ts';
import { put, temporaryPlaces } from './places.ts';

function planOf(text: string | object, configText?: string) {
  const places = temporaryPlaces();
  const path = put(join(places.home, 'servers.json'), text);
  const configPath = join(places.configFolder, 'toolcrib.json');
  if (configText !== undefined) put(configPath, configText);
  const source = readHostConfig(hostFileAt(path, places), places);
  if (source === undefined) throw new Error('no source');
  return { places, configPath, plan: planImport([source], configPath, places) };
}

describe('planImport', () => {
  it('says what is new, there already, another, or unusable', () => {
    const servers = {
      a: { command: 'a' },
      b: { args: ['1'], command: 'b' },
      c: { command: 'c' },
      d: 5,
      e: { command: 'e', url: 'x' },
    };
    const { plan } = planOf(
      { mcpServers: servers },
      '{"mcpServers": {"b": {"command": "b", "args": ["1"]}, "c": {"command": "other"}}}',
    );
    expect(plan.candidates.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'new'],
      ['b', 'same'],
      ['c', 'taken'],
      ['d', 'unusable'],
      ['e', 'unusable'],
    ]);
  });

  it('passes over toolcrib itself', () => {
    const { plan } = planOf({ mcpServers: { toolcrib: { command: 'npx', args: ['toolcrib', 'serve'] } } });
    expect(plan.candidates).toEqual([]);
  });

  it('starts what Claude Code keeps for a folder in that folder', () => {
    const places = temporaryPlaces();
    const lists = { [places.currentFolder]: { mcpServers: { l: { command: 'l' } } } };
    const path = put(join(places.home, '.claude.json'), { mcpServers: { u: { command: 'u' } }, projects: lists });
    const source = readHostConfig(hostFileAt(path, places), places) as never;
    const { candidates } = planImport([source], join(places.configFolder, 'x.json'), places);
    expect(candidates.map(({ id, entry }) => [id, entry.cwd])).toEqual([
      ['u', undefined],
      ['l', places.currentFolder],
    ]);
  });

  it('takes the first of two files that use one id for different servers', () => {
    const places = temporaryPlaces();
    const sources = ['a', 'b'].map((command) => {
      const path = put(join(places.home, `${command}.json`), { servers: { s: { command } } });
      return readHostConfig(hostFileAt(path, places), places) as never;
    });
    const { candidates } = planImport(sources, join(places.configFolder, 'x.json'), places);
    expect(candidates.map(({ status }) => status)).toEqual(['new', 'taken']);
  });
});

describe('applyImport', () => {
  it('writes a config that loads, for the user alone', () => {
    const { places, configPath, plan } = planOf({ mcpServers: { a: { command: 'a', env: { K: 'secret-value' } } } });
    applyImport(plan, plan.candidates, places);
    expect(statSync(configPath).mode & 0o777).toBe(0o600);
    const { servers, warnings } = loadConfig({ path: configPath });
    expect({ ids: servers.map(({ id }) => id), warnings }).toEqual({ ids: ['a'], warnings: [] });
  });

  it('gives a new config its schema, wherever it lies', () => {
    const { places, configPath, plan } = planOf({ mcpServers: { a: { command: 'a' } } });
    applyImport(plan, plan.candidates, places);
    const schemaOf = (path: string) => /"\$schema": "(.*)"/.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
    const own = schemaOf(configPath);
    expect(JSON.parse(readFileSync(join(places.configFolder, own), 'utf8')).title).toBe('Config of toolcrib');
    const elsewhere = join(places.currentFolder, 'toolcrib.json');
    createConfig(elsewhere, places);
    expect(JSON.parse(readFileSync(new URL(schemaOf(elsewhere)), 'utf8')).title).toBe('Config of toolcrib');
  });

  it('keeps the comments of a config that is there', () => {
    const text = '{\n  // mine\n  "servers": {\n    "a": { "command": "a" } // one\n  },\n}\n';
    const { places, configPath, plan } = planOf({ mcpServers: { b: { command: 'b' } } }, text);
    applyImport(plan, plan.candidates, places);
    const written = readFileSync(configPath, 'utf8');
    expect(written).toContain('// mine');
    expect(written).toContain('// one');
    expect(loadConfig({ path: configPath }).servers.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('findHostConfigs', () => {
  it('finds hosts with servers, and passes over files that cannot be read', () => {
    const places = temporaryPlaces();
    put(join(places.currentFolder, '.mcp.json'), '{ broken');
    put(join(places.home, '.cursor', 'mcp.json'), { mcpServers: { a: { command: 'a' } } });
    put(join(places.home, '.config', 'Claude', 'claude_desktop_config.json'), { mcpServers: {} });
    put(join(places.home, '.claude.json'), {
      projects: { [places.currentFolder]: { mcpServers: { l: { command: 'l' } } } },
    });
    expect(findHostConfigs(places).map(({ file, servers }) => [file.host, servers.map(({ id }) => id)])).toEqual([
      ['claude-code', ['l']],
      ['cursor', ['a']],
    ]);
  });
});

describe('readHostConfig', () => {
  it.each([
    ['{ "a": ', 'expected'],
    ['[]', 'no JSON object'],
    [Buffer.from([0xff, 0xfe, 0x7b, 0x00]), 'UTF-8'],
  ])('says why %j cannot be used', (content, reason) => {
    const places = temporaryPlaces();
    const path = put(join(places.home, 'x.json'), content);
    expect(() => readHostConfig({ path }, places)).toThrow(
      expect.objectContaining({ code: 'host_file_unusable', message: expect.stringContaining(reason) }),
    );
  });

  it('waits for no pipe and no device', () => {
    const places = temporaryPlaces();
    expect(() => readHostConfig({ path: '/dev/zero' }, places)).toThrow(
      expect.objectContaining({ code: 'host_file_unusable' }),
    );
    expect(() => readHostConfig({ path: places.home }, places)).toThrow(
      expect.objectContaining({ code: 'host_file_unusable' }),
    );
  });

  it('knows that there is no file', () => {
    const places = temporaryPlaces();
    expect(readHostConfig({ path: join(places.home, 'none.json') }, places)).toBeUndefined();
  });
});
