import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/model/index.ts';
import { adoptServer, inputVariable, isToolcribEntry } from '../../src/setup/adopt-server.ts';
import { parseHostConfig } from '../../src/setup/host-config.ts';
import { hostFileAt } from '../../src/setup/hosts.ts';
import { temporaryPlaces } from './places.ts';

const places = { ...temporaryPlacesOnce(), env: { SET: 'set-value' } };
const project = { path: '/srv/app/.mcp.json', host: 'claude-code', projectFolder: '/srv/app' } as const;

function temporaryPlacesOnce() {
  return {
    platform: 'linux',
    home: '/home/ann',
    env: {},
    currentFolder: '/srv/app',
    configFolder: '/home/ann/c',
    dataFolder: '',
  } as const;
}

function adopt(entry: unknown, file: Parameters<typeof adoptServer>[1]['file'] = { path: '/home/ann/x.json' }) {
  return adoptServer({ id: 's', entry, list: ['mcpServers'] }, { file, configFolder: '/home/ann/c', places });
}

describe('adoptServer', () => {
  it('shows the command without what is secret in it', () => {
    const { command, sets } = adopt({
      command: 'run me',
      args: ['--api-key', 'abcd1234', 'postgres://bob:hunter22@db/x', '-v', 'also-in-env'],
      env: { KEY: 'also-in-env', LEVEL: 'debug' },
    });
    expect(command).toBe('"run me" --api-key [redacted] postgres://bob:[redacted]@db/x -v [redacted]');
    expect(sets).toEqual(['KEY', 'LEVEL']);
  });

  it('hides secrets of a server that is switched off as well', () => {
    expect(adopt({ command: 'x', args: ['--token=abcd1234'], disabled: true }).command).toBe('x --token=[redacted]');
  });

  it('shows the URL of a server over HTTP, and names of headers', () => {
    expect(adopt({ url: 'https://h/mcp?token=abcd1234', headers: { Authorization: 'Bearer abcdefgh' } })).toMatchObject(
      {
        command: 'https://h/mcp?token=[redacted]',
        sets: ['Authorization'],
      },
    );
  });

  it('says which variables have to be set, and takes those with a default as they are', () => {
    const { notes, problem } = adopt({
      url: `https://\${HOST}/mcp`,
      headers: { a: `\${env:TOKEN}`, b: `\${SET}`, c: `\${X:-y}` },
    });
    expect(notes).toEqual(['set before it can start: HOST, TOKEN']);
    expect(problem).toBeUndefined();
  });

  it('turns what the editor asks for into a variable', () => {
    const { entry, notes } = adopt({ command: 'x', env: { K: `\${input:my-key}` } });
    expect(entry.env).toEqual({ K: `\${MY_KEY}` });
    expect(notes[0]).toContain('"my-key"');
    expect(inputVariable('1 a.b')).toBe('_1_A_B');
  });

  it('starts servers of a project where its host would', () => {
    expect(adopt({ command: 'x', args: [`\${workspaceFolder}/a`] }, project).entry).toEqual({
      command: 'x',
      args: ['/srv/app/a'],
      cwd: '/srv/app',
    });
    expect(adopt({ command: 'x', cwd: 'sub' }, project).entry.cwd).toBe('/srv/app/sub');
    expect(adopt({ command: 'x', cwd: '/abs' }, project).entry.cwd).toBe('/abs');
    expect(adopt({ url: 'http://h/' }, project).entry).toEqual({ url: 'http://h/' });
  });

  it('leaves the folder out where the config lies in the project', () => {
    const options = { file: project, configFolder: '/srv/app', places };
    expect(adoptServer({ id: 's', entry: { command: 'x' }, list: [] }, options).entry).toEqual({ command: 'x' });
  });

  it('keeps a replacement pattern in a folder name as it is', () => {
    const file = { path: '/w/$&/.mcp.json', projectFolder: '/w/$&' };
    expect(adopt({ command: `\${workspaceFolder}/x` }, file).entry.command).toBe('/w/$&/x');
  });

  it('leaves out keys without a meaning, and says so', () => {
    const { entry, notes } = adopt({ command: 'x', envFile: '.env', gallery: true });
    expect(entry).toEqual({ command: 'x' });
    expect(notes).toEqual(['left out, without a meaning here: envFile, gallery']);
  });

  it.each([[null], ['text'], [[]]])('does not take %j', (entry) => {
    expect(adopt(entry).problem).toBe('the entry is not an object');
  });

  it('does not take an id that the config would ignore', () => {
    const { problem } = adoptServer(
      { id: '__proto__', entry: { command: 'x' }, list: ['mcpServers'] },
      { file: { path: '/home/ann/x.json' }, configFolder: '/home/ann/c', places },
    );
    expect(problem).toContain('"__proto__" cannot be an id');
  });

  it('does not take what toolcrib could not start, and tells no secret', () => {
    expect(adopt({ env: { A: 'secret-one' } }).problem).toContain('expected "command" or "url"');
    const { problem } = adopt({ command: 'x', url: 'http://h/?key=abcd1234' });
    expect(problem).toContain('got both');
    expect(problem).not.toContain('abcd1234');
  });

  it.each(['claude-code.mcp.json', 'claude_desktop_config.json', 'cursor-mcp.json', 'vscode-mcp.json'])(
    'takes every server of %s',
    (name) => {
      const path = join('/somewhere', name === 'vscode-mcp.json' ? '.vscode/mcp.json' : name);
      const file = hostFileAt(path, temporaryPlaces());
      const bytes = readFileSync(new URL(`../fixtures/hosts/${name}`, import.meta.url));
      const { servers } = parseHostConfig(file, bytes, places);
      expect(servers.length).toBeGreaterThan(1);
      const adoptions = servers.map((server) => adoptServer(server, { file, configFolder: '/c', places }));
      expect(adoptions.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(
        adoptions.every(({ entry }) => isJsonObject(entry) && JSON.stringify(entry).includes(`\${input:`) === false),
      ).toBe(true);
    },
  );
});

it('adopts or refuses whatever stands in a file, and shows no value of an environment or a header', () => {
  const secret = fc
    .string({ minLength: 8, unit: 'grapheme-ascii' })
    .filter((text) => /\w{6}/.test(text) && !text.includes('$'));
  const texts = fc.oneof(fc.string(), fc.constantFrom(`\${A}`, `\${input:k}`, 'https://h/mcp', 'node', '--token'));
  const entry = fc.record(
    {
      command: fc.oneof(texts, fc.jsonValue()),
      args: fc.oneof(fc.array(texts), fc.jsonValue()),
      url: fc.oneof(texts, fc.jsonValue()),
      cwd: fc.oneof(texts, fc.jsonValue()),
      type: fc.constantFrom('stdio', 'http', 'sse', 'odd'),
      other: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(entry, secret, (values, value) => {
      fc.pre(!JSON.stringify(values).includes(value));
      const {
        command,
        sets,
        notes,
        problem = '',
      } = adopt({ ...values, env: { KEY: value }, headers: { H: `Bearer ${value}` } });
      expect([command, ...sets, ...notes, problem].join('\n')).not.toContain(value);
    }),
  );
});

describe('isToolcribEntry', () => {
  it.each([
    [true, 'toolcrib', { command: 'npx', args: ['-y', 'toolcrib', 'serve'] }],
    [true, 'tools', { command: '/usr/bin/node', args: ['/opt/toolcrib/dist/bin.js', 'serve', '--config', 'x'] }],
    [true, 'tools', { command: 'npx', args: ['toolcrib@0.1.0', 'serve'] }],
    [false, 'toolcrib', { command: 'npx', args: ['other'] }],
    [false, 'files', { command: 'npx', args: ['serve', '/home/toolcrib-user'] }],
    [false, 'x', null],
  ])('%s for %s %j', (expected, id, entry) => {
    expect(isToolcribEntry({ id, entry })).toBe(expected);
  });
});
