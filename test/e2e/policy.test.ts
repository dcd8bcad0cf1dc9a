import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolcrib } from '../../src/index.ts';
import type {
  CallToApprove,
  CallToolResult,
  ElicitationParams,
  JsonObject,
  PolicyTest,
} from '../../src/model/index.ts';
import { generations, type Host, textOf } from '../fixtures/hosts/index.ts';
import { rawServer, Workspace } from './program.ts';

/** The default of HTTP, and no policy of the config. */
async function workspaceOf(config: object = {}): Promise<Workspace & { record: string }> {
  const workspace = await Workspace.create({});
  onTestFinished(() => workspace.remove());
  const record = workspace.path('record.jsonl');
  const mcpServers = { raw: rawServer({ record }) };
  await workspace.writeConfig({ mode: 'discovery', mcpServers, policy: undefined, ...config });
  await workspace.json('sync');
  return Object.assign(workspace, { record });
}

const echo = (host: Host, text: string) => host.call('call_tool', { name: 'raw__echo', arguments: { text } });
const errorOf = ({ _meta }: CallToolResult) => _meta?.['dev.toolcrib/error'] as JsonObject | undefined;

async function callsIn(record: string): Promise<number> {
  const lines = (await readFile(record, 'utf8').catch(() => '')).split('\n');
  return lines.filter((line) => line.includes('"tools/call"')).length;
}

describe.each(generations)('over HTTP without a policy, %s', (generation) => {
  it('asks the person with the arguments in view, and runs what they allow alone', async () => {
    const workspace = await workspaceOf();
    const asked: ElicitationParams[] = [];
    const answers = ['no', 'once', 'for 15 minutes'];
    const elicit = (params: ElicitationParams) => {
      asked.push(params);
      return { action: 'accept' as const, content: { approval: answers.shift() ?? 'no' } };
    };
    const { host } = await workspace.serve('http', generation, { elicit });
    expect(textOf(await echo(host, 'first'))).toMatch(/^denied: /);
    expect(await callsIn(workspace.record)).toBe(0);
    expect(asked[0]?.message).toContain('Server: raw\nTool: echo\n');
    expect(asked[0]?.message).toContain('"text": "first"');
    expect(textOf(await echo(host, 'first'))).toContain('first');
    expect(textOf(await echo(host, 'first'))).toContain('first');
    expect(textOf(await echo(host, 'first'))).toContain('first');
    expect(asked).toHaveLength(3);
    expect(textOf(await echo(host, 'second'))).toMatch(/^denied: /);
    expect(await callsIn(workspace.record)).toBe(3);
  });

  it('gives an id where the host cannot ask; what is granted for it runs once', async () => {
    const workspace = await workspaceOf();
    const { host } = await workspace.serve('http', generation);
    const refused = await echo(host, 'hello');
    const { code, approvalId } = errorOf(refused) ?? {};
    expect(code).toBe('approval_required');
    expect(textOf(refused)).toContain(`Request id: ${approvalId}`);
    expect(textOf(refused)).not.toMatch(/approvals|grant|toolcrib [a-z]/);
    const waiting = await workspace.json<CallToApprove[]>('approvals', 'list');
    expect(waiting).toMatchObject([{ id: approvalId, name: 'raw__echo', arguments: { text: 'hello' } }]);
    const piped = await workspace.cli('approvals', 'grant', String(approvalId), '--json');
    expect(JSON.parse(piped.stderr)).toMatchObject({ error: { code: 'terminal_required' } });
    const crib = createToolcrib({ configPath: workspace.configPath, catalog: workspace.catalogPath });
    crib.grantCall(String(approvalId));
    await crib.close();
    expect(textOf(await echo(host, 'hello'))).toContain('hello');
    expect(errorOf(await echo(host, 'hello'))?.code).toBe('approval_required');
    expect(await callsIn(workspace.record)).toBe(1);
  });
});

describe('the policy of a config', () => {
  it('lets everything run on stdio, unless a rule says otherwise', async () => {
    const free = await workspaceOf();
    const { host } = await free.serve('stdio', 'v2 legacy');
    expect(textOf(await echo(host, 'x'))).toContain('x');
    const strict = await workspaceOf({ policy: [{ action: 'deny', server: 'raw', tool: 'ec*' }] });
    const { host: other } = await strict.serve('stdio', 'v2 legacy');
    expect(errorOf(await echo(other, 'x'))?.code).toBe('denied');
    expect(textOf(await other.call('describe_tool', { name: 'raw__echo' }))).toContain('refused: rule 1');
    expect(await callsIn(strict.record)).toBe(0);
  });

  it('is told by the command line', async () => {
    const workspace = await workspaceOf({ policy: [{ action: 'deny', caller: 'bob' }] });
    const test = (...args: string[]) => workspace.json<PolicyTest>('policy', 'test', 'raw__echo', ...args);
    expect(await test()).toMatchObject({ action: 'allow', caller: 'local', effect: 'destructive' });
    expect(await test('--http')).toMatchObject({ action: 'ask', isEffectKnown: false });
    expect(await test('--caller', 'bob')).toMatchObject({ action: 'deny', rule: 1 });
    expect(await test('--args', 'text=x')).not.toHaveProperty('problem');
    expect(await test('--args', '{"text":5}')).toHaveProperty('problem', expect.stringContaining('do not fit'));
  });

  it('refuses a rule with a condition that it does not know', async () => {
    const workspace = await workspaceOf();
    await workspace.writeConfig({ policy: [{ action: 'allow', tools: 'read_*' }, { action: 'perhaps' }] });
    const { code, stderr } = await workspace.cli('list', 'servers');
    expect(code).toBe(2);
    expect(stderr).toContain('policy[0]: expected an object with "action" and none but "server", "tool"');
    expect(stderr).toContain('policy[1].action: expected one of "allow", "ask", "deny", got "perhaps"');
  });
});
