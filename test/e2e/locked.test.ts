import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Workspace } from './program.ts';

const program = fileURLToPath(new URL('../fixtures/servers/changing-server.mjs', import.meta.url));
const tool = (change: object = {}) => ({
  name: 'add',
  description: 'Adds.',
  inputSchema: { type: 'object' },
  ...change,
});

let workspace: Workspace;
const put = (...tools: object[]) => writeFile(workspace.path('tools.json'), JSON.stringify(tools));

beforeAll(async () => {
  workspace = await Workspace.create({});
  await put(tool());
  const args = [program, workspace.path('tools.json')];
  await workspace.writeConfig({ mcpServers: { s: { command: process.execPath, args } }, embedding: 'none' });
});
afterAll(() => workspace.remove());

it('a lock is the contract for CI: it holds until a server lists something else', async () => {
  expect((await workspace.cli('sync', '--locked')).code).toBe(2);
  expect(await workspace.json('lock')).toEqual({ path: 'toolcrib.lock.json', servers: 1, tools: 1 });
  expect(existsSync(workspace.path('toolcrib.lock.json'))).toBe(true);
  expect((await workspace.cli('sync', '--locked')).code).toBe(0);

  await put(tool({ inputSchema: { type: 'object', properties: { note: { type: 'string' } } } }), tool({ name: 'sub' }));
  const { code, stderr, stdout } = await workspace.cli('sync', '--locked', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([{ server: 's', state: 'ok', changed: 1 }]);
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    error: {
      code: 'lock_differs',
      details: {
        differences: [
          { server: 's', tool: 'add', kind: 'definition_changed' },
          { server: 's', tool: 'sub', kind: 'added' },
        ],
      },
    },
  });
}, 60_000);

it('a program cannot approve: there is no terminal', async () => {
  const problems = () => workspace.json('list', 'tools', '--problems');
  expect(await problems()).toMatchObject([{ name: 's__add', status: 'changed', problem: 'a parameter was added' }]);
  const diff = await workspace.json<{ changes: unknown[] }[]>('diff', 's__add');
  expect(diff[0]?.changes).toEqual([
    { path: '/inputSchema/properties', kind: 'added', after: { note: { type: 'string' } } },
  ]);
  for (const options of [[], ['--yes']]) {
    const { code, stderr } = await workspace.cli('approve', 's__add', ...options);
    expect(code).toBe(2);
    expect(stderr).toContain('terminal_required');
  }
  expect(await problems()).toHaveLength(1);
  const refused = await workspace.cli('call', 's__add', '--json');
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('definition_changed') });
  expect(await workspace.json('history', 's__add')).toMatchObject([{ accepted: 'no' }, { accepted: 'rules' }]);
}, 60_000);
