import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatProblem, loadConfig } from '../../src/config/index.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Loads a copy of a host's file from where that host keeps it. */
function loadHostFile(fixture: string, place: string, env: Record<string, string> = {}) {
  const path = join(temporaryFolder(), place);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(fileURLToPath(new URL(`../fixtures/hosts/${fixture}`, import.meta.url)), path);
  return { path, config: loadConfig({ path, env }) };
}

describe('files of hosts', () => {
  it('Claude Code: .mcp.json', () => {
    const { config } = loadHostFile('claude-code.mcp.json', '.mcp.json', { GITHUB_TOKEN: 'ghp_12345' });
    expect(config.warnings).toEqual([]);
    expect(config.servers.map(({ id, transport }) => [id, transport])).toEqual([
      [
        'github',
        {
          kind: 'http',
          url: 'https://api.githubcopilot.example/mcp/',
          headers: { Authorization: 'Bearer ghp_12345' },
        },
      ],
      [
        'files',
        { kind: 'stdio', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'], env: {} },
      ],
    ]);
    expect(config.secrets).toEqual(expect.arrayContaining(['ghp_12345', 'Bearer ghp_12345']));
  });

  it('Claude Desktop: claude_desktop_config.json', () => {
    const { config } = loadHostFile('claude_desktop_config.json', 'Claude/claude_desktop_config.json');
    expect(config.warnings).toEqual([]);
    expect(config.servers.map(({ id }) => id)).toEqual(['memory']);
    expect(config.disabled).toEqual([{ id: 'notes', position: 1 }]);
  });

  it('Cursor: .cursor/mcp.json', () => {
    const { path, config } = loadHostFile('cursor-mcp.json', '.cursor/mcp.json', { LOCAL_API_KEY: 'local-api-key' });
    const project = dirname(dirname(path));
    expect(config.servers.map(({ transport }) => transport)).toEqual([
      {
        kind: 'stdio',
        command: 'python',
        args: [`${project}/tools/server.py`],
        env: { API_KEY: 'local-api-key' },
      },
      { kind: 'http', url: 'https://mcp.example.com/mcp', headers: { 'X-Api-Key': 'cursor-literal-key' } },
    ]);
    expect(config.warnings.map(formatProblem)).toEqual([
      `${path}:8:18: mcpServers.local.envFile: "envFile" is not read; name the variables the server needs under "env"`,
    ]);
    expect(config.secrets).toEqual(['local-api-key', 'cursor-literal-key']);
  });

  it('VS Code: .vscode/mcp.json', () => {
    const { path, config } = loadHostFile('vscode-mcp.json', '.vscode/mcp.json');
    expect(config.servers.map(({ id, position }) => [id, position])).toEqual([
      ['fetch', 1],
      ['legacy', 2],
    ]);
    expect(config.disabled).toEqual([
      {
        id: 'perplexity',
        position: 0,
        problem: expect.stringContaining(
          `${path}:11:38: servers.perplexity.env.PERPLEXITY_API_KEY: variable \${input:perplexity-key} is asked for`,
        ),
      },
    ]);
    expect(config.warnings.map(({ severity, jsonPath }) => [severity, jsonPath])).toEqual([
      ['error', 'servers.perplexity.env.PERPLEXITY_API_KEY'],
    ]);
    expect(config.servers[1]?.transport).toMatchObject({ kind: 'http', sse: true });
  });
});
