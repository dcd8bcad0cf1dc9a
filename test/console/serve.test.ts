import { describe, expect, it, onTestFinished } from 'vitest';
import type { Overview } from '../../src/console/shapes.ts';
import { rawServer, Workspace } from '../e2e/program.ts';

async function workspaceOf(config: object = {}): Promise<Workspace> {
  const workspace = await Workspace.create({
    mode: 'discovery',
    embedding: 'none',
    mcpServers: { raw: rawServer() },
    ...config,
  });
  onTestFinished(() => workspace.remove());
  return workspace;
}

/** What a link opens, and the cookie that it is exchanged for. */
async function follow(link: string): Promise<{ status: number; overview: Response }> {
  const response = await fetch(link);
  const cookie = response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const overview = await fetch(`${new URL(link).origin}/console/api/overview`, { headers: { cookie } });
  return { status: response.status, overview };
}

describe('the program', () => {
  it('serves the console by itself, with what the config names', async () => {
    const workspace = await workspaceOf();
    const { child } = workspace.start('console', '--no-open');
    const link = await firstMatch(child.stdout, /http:\S+/);
    const { status, overview } = await follow(link);
    expect(status).toBe(200);
    const view = (await overview.json()) as Overview;
    expect(view.servers.map(({ server }) => server)).toEqual(['raw']);
    expect(view.configPath).toBe(workspace.configPath);
  });

  it('serves it beside the hosts of serve --http, where a link is printed as well', async () => {
    const workspace = await workspaceOf();
    const child = workspace.serveRaw('--http', '0');
    const link = await firstMatch(child.stderr, /http:\S+\/console\/login\?token=\S+/);
    const { origin } = new URL(link);
    expect((await fetch(`${origin}/console/`)).status).toBe(401);
    expect((await fetch(`${origin}/mcp`, { method: 'PUT' })).status).toBe(405);
    const { status, overview } = await follow(link);
    expect([status, overview.status]).toEqual([200, 200]);
    const host = await workspace.connect('v2 modern', { kind: 'http', url: `${origin}/mcp` });
    expect(await host.listTools()).toHaveLength(3);
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  });

  it('has none on addresses that other machines reach', async () => {
    const workspace = await workspaceOf();
    await workspace.json('token', 'create', 'someone', '--scope', '*');
    const child = workspace.serveRaw('--http', '0', '--host', '0.0.0.0');
    const address = new URL(await firstMatch(child.stderr, /http:\S+/));
    const response = await fetch(`http://127.0.0.1:${address.port}/console/`);
    expect([401, 403, 404]).toContain(response.status);
    expect(await response.text()).not.toContain('toolcrib console');
  });
});

function firstMatch(stream: NodeJS.ReadableStream | null, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    stream?.on('data', (chunk) => {
      text += chunk;
      const [found] = pattern.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    stream?.once('end', () => reject(new Error(`It ended: ${text}`)));
  });
}
