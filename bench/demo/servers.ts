import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface DemoServer {
  id: string;
  package: string;
  args?: string[];
  env?: Record<string, string>;
}

/** A key that lets a server start; listing tools needs no account. */
const dummyKey = 'demo-key-not-a-secret';

/** The config entries of real MCP servers from npm, pinned as dev dependencies. `folder` is what the file server may touch. */
export function demoServers(
  folder: string,
): Record<string, { command: string; args: string[]; env: Record<string, string> }> {
  const servers: DemoServer[] = [
    { id: 'everything', package: '@modelcontextprotocol/server-everything', args: ['stdio'] },
    { id: 'filesystem', package: '@modelcontextprotocol/server-filesystem', args: [folder] },
    {
      id: 'memory',
      package: '@modelcontextprotocol/server-memory',
      env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    },
    { id: 'sequential-thinking', package: '@modelcontextprotocol/server-sequential-thinking' },
    {
      id: 'github',
      package: '@modelcontextprotocol/server-github',
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: dummyKey },
    },
    {
      id: 'gitlab',
      package: '@modelcontextprotocol/server-gitlab',
      env: { GITLAB_PERSONAL_ACCESS_TOKEN: dummyKey },
    },
    { id: 'notion', package: '@notionhq/notion-mcp-server', env: { NOTION_TOKEN: dummyKey } },
    { id: 'linear', package: '@tacticlaunch/mcp-linear', env: { LINEAR_API_TOKEN: dummyKey } },
    { id: 'hostinger', package: 'hostinger-api-mcp', env: { API_TOKEN: dummyKey, HOSTINGER_API_TOKEN: dummyKey } },
    {
      id: 'ms-365',
      package: '@softeria/ms-365-mcp-server',
      args: ['--org-mode'],
      env: { MS365_MCP_OAUTH_TOKEN: dummyKey, HOME: folder },
    },
    { id: 'context7', package: '@upstash/context7-mcp' },
    { id: 'code-runner', package: 'mcp-server-code-runner' },
  ];
  return Object.fromEntries(
    servers.map(({ id, package: packageName, args = [], env = {} }) => [
      id,
      { command: process.execPath, args: [executableOf(packageName), ...args], env },
    ]),
  );
}

/** The file behind a package's `bin`, so that each server is one Node process and no shell or npx lies between. */
function executableOf(packageName: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(packageName) ?? [];
  for (const folder of folders) {
    const manifest = readManifest(join(folder, packageName, 'package.json'));
    if (manifest === undefined) continue;
    const file = typeof manifest.bin === 'string' ? manifest.bin : Object.values(manifest.bin)[0];
    return join(folder, dirname(join(packageName, 'package.json')), file as string);
  }
  throw new Error(`The demo server ${packageName} is not installed. Run npm ci first.`);
}

function readManifest(file: string): { bin: string | Record<string, string> } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
