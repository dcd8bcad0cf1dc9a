import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { formatProblem } from '../../src/config/index.ts';
import { readServer } from '../../src/config/server-entry.ts';
import { optionsSource } from '../../src/config/source.ts';

const variables = { env: { TOKEN: 's3cr3t-token', HOME: '/home/ann' }, workspaceFolder: '/space', userHome: homedir() };

function read(value: unknown) {
  return readServer(optionsSource(value), ['mcpServers', 's'], { id: 's', position: 2, value }, variables);
}

describe('readServer', () => {
  it('expands variables in every text', () => {
    const { spec, secrets } = read({
      command: `\${HOME}/bin/x`,
      args: [`--key=\${TOKEN}`, `\${workspaceFolder}`],
      env: { A: `\${TOKEN}`, B: 5, C: true, D: null },
      cwd: `\${userHome}/w`,
    });
    expect(spec?.transport).toEqual({
      kind: 'stdio',
      command: '/home/ann/bin/x',
      args: ['--key=s3cr3t-token', '/space'],
      env: { A: 's3cr3t-token', B: '5', C: 'true' },
      cwd: `${homedir()}/w`,
    });
    expect(secrets).toEqual(['s3cr3t-token']);
  });

  it('expands variables in url and headers', () => {
    const { spec } = read({ url: `https://x.dev/\${TOKEN}`, headers: { Authorization: `Bearer \${env:TOKEN}` } });
    expect(spec?.transport).toEqual({
      kind: 'http',
      url: 'https://x.dev/s3cr3t-token',
      headers: { Authorization: 'Bearer s3cr3t-token' },
    });
  });

  it('takes the settings of the entry', () => {
    const { spec, prefix } = read({
      command: 'x',
      cwd: 'sub',
      timeoutMs: 700_000,
      connectTimeoutMs: 9,
      tools: { include: ['get_*'], exclude: ['*_secret'] },
      description: 'Our tickets',
      prefix: false,
      isolation: 'perCaller',
    });
    expect(spec).toMatchObject({
      id: 's',
      position: 2,
      timeoutMs: 700_000,
      maxTimeoutMs: 700_000,
      connectTimeoutMs: 9,
      tools: { include: ['get_*'], exclude: ['*_secret'] },
      description: 'Our tickets',
      isolation: 'perCaller',
      transport: { cwd: '/space/sub' },
    });
    expect(prefix).toBe(false);
  });

  it('reads a bare list of tools as those to include', () => {
    expect(read({ command: 'x', tools: ['*'] }).spec?.tools).toEqual({ include: ['*'], exclude: [] });
  });

  it.each([[{ enabled: false }], [{ disabled: true }], [{ enabled: false, args: [`\${NONE}`] }]])(
    'is switched off by %j, and then nothing else matters',
    (extra) => {
      expect(read({ command: 'x', ...extra })).toMatchObject({ disabled: { id: 's', position: 2 }, problems: [] });
      expect(read({ command: 'x', ...extra }).disabled).not.toHaveProperty('problem');
    },
  );

  it.each([
    [5, 'mcpServers.s: expected an object, got 5'],
    [{}, 'mcpServers.s: expected "command" or "url", got neither'],
    [{ command: 'x', url: 'https://x' }, 'mcpServers.s: expected either "command" or "url", got both'],
    [{ url: 'https://x', type: 'stdio' }, 'mcpServers.s: type "stdio" needs "command", got "url"'],
    [{ command: 'x', type: 'http' }, 'mcpServers.s: type "http" needs "url", got "command"'],
    [{ command: 'x', args: 'a b' }, 'mcpServers.s.args: expected a list of texts, got a text'],
    [{ command: 'x', args: ['a', 4] }, 'mcpServers.s.args[1]: expected a text, got a number'],
    [{ command: '' }, 'mcpServers.s.command: expected a text that is not empty, got an empty text'],
    [{ command: 'x', env: { K: ['s3cr3t'] } }, 'mcpServers.s.env.K: expected a text, got a list'],
    [{ command: 'x', env: 's3cr3t' }, 'mcpServers.s.env: expected an object of variable names and texts, got a text'],
    [{ url: 'https://x', headers: { A: 5 } }, 'mcpServers.s.headers.A: expected a text, got a number'],
    [{ command: 'x', timeoutMs: 0 }, 'expected a whole number of milliseconds from 1 to 2147483647, got 0'],
    [{ command: 'x', type: 'ws' }, '"streamable-http", "streamableHttp", "sse", got "ws"'],
    [{ command: 'x', tools: 'all' }, 'mcpServers.s.tools: expected a list of globs, or an object with'],
    [
      { url: 'ftp://s3cr3t' },
      'mcpServers.s.url: expected a URL that starts with http:// or https://, got another text',
    ],
    [{ url: 'https://' }, 'mcpServers.s.url: expected a URL'],
    [
      { command: 'x', args: [`\${NONE}`] },
      `mcpServers.s.args[0]: variable \${NONE} is not set; set it, or give a default`,
    ],
    [{ command: 'x', env: { K: `\${env:NONE}` } }, `mcpServers.s.env.K: variable \${env:NONE} is not set`],
    [{ command: 'x', env: { K: `\${input:t}` } }, `variable \${input:t} is asked for by the editor`],
    [{ command: 'x', env: { K: `\${command:t}` } }, `variable \${command:t} is of a kind that toolcrib does not know`],
  ])('is disabled by %j', (entry, problem) => {
    const result = read(entry);
    expect(result.spec).toBeUndefined();
    expect(result.disabled?.problem).toContain(problem);
    expect(result.disabled?.problem).not.toContain('s3cr3t');
    expect(result.problems).toEqual([expect.objectContaining({ severity: 'error' })]);
  });

  it('tells every problem of an entry', () => {
    const { disabled } = read({ command: 'x', args: [`\${ONE}`], env: { K: `\${TWO}` } });
    expect(disabled?.problem).toMatch(/\$\{ONE\}.*; .*\$\{TWO\}/);
  });

  it('takes a server of type sse as one over the deprecated transport', () => {
    const result = read({ url: 'https://x.dev/sse', type: 'sse' });
    expect(result.spec?.transport).toMatchObject({ kind: 'http', sse: true });
    expect(result.problems).toEqual([]);
  });

  it('reads how to log in, with variables, and takes the secret as one', () => {
    const oauth = { clientId: 'id', clientSecret: `\${TOKEN}`, scopes: ['a', 'b'], callbackPort: 8_123 };
    const result = read({ url: 'https://x.dev/mcp', oauth });
    expect(result.spec?.transport).toMatchObject({ oauth: { ...oauth, clientSecret: 's3cr3t-token' } });
    expect(result.secrets).toContain('s3cr3t-token');
    expect(read({ url: 'https://x.dev/mcp', oauth: false }).spec?.transport).toMatchObject({ oauth: false });
    expect(read({ url: 'https://x.dev/mcp', oauth: { enabled: false } }).spec?.transport).toMatchObject({
      oauth: false,
    });
    expect(read({ command: 'x', oauth: {} }).problems.map(formatProblem)).toEqual([expect.stringContaining('ignored')]);
    const wrong = read({ url: 'https://x.dev/mcp', oauth: { clientSecret: 7 } });
    expect(wrong.problems.map(formatProblem).join()).toMatch(/oauth\.clientSecret: expected a text, got a number/);
    const misspelt = read({ url: 'https://x.dev/mcp', oauth: { clientid: 'x' } });
    expect(misspelt.problems.map(formatProblem).join()).toContain('did you mean "clientId"?');
  });

  it('never shows a value in a problem', () => {
    const secret = 'hunter2hunter2';
    const entries = [
      { command: secret, url: secret },
      { url: secret, headers: { A: secret } },
      { command: ['x'], args: [secret, {}], env: { A: secret, B: { c: secret } }, cwd: 5 },
      { command: 'x', env: { A: `${secret}\${NONE}` }, args: secret, tools: secret, headers: secret },
    ];
    for (const entry of entries) {
      const { disabled, problems } = read(entry);
      expect(problems.length).toBeGreaterThan(0);
      expect(JSON.stringify([disabled, problems])).not.toContain(secret);
    }
  });
});
