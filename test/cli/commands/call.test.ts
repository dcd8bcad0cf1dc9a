import { describe, expect, it } from 'vitest';
import type { CallToolResult, Toolcrib } from '../../../src/model/index.ts';
import { run } from '../test-io.ts';

const failing: CallToolResult = { content: [{ type: 'text', text: 'no such issue' }], isError: true };

describe('toolcrib call', () => {
  it('prints the text as it is in a pipe, and safe on a terminal', async () => {
    expect(await run(['call', 'github__x'])).toMatchObject({ exitCode: 0, stdout: 'done \u001b[31mred\n', stderr: '' });
    expect((await run(['call', 'github__x'], { isTTY: true })).stdout).toBe('done red\n');
  });

  it('prints the raw result as JSON', async () => {
    const { stdout } = await run(['call', 'github__x', '--json']);
    expect(JSON.parse(stdout)).toEqual({ content: [{ type: 'text', text: 'done \u001b[31mred' }] });
  });

  it('passes arguments on, read by the schema of the tool', async () => {
    const { calls } = await run(['call', 'x', '--args', 'number=7', 'title=7', 'labels=["a"]', 'note=a=b', 'state=1']);
    expect(calls).toContain('call "x" {"number":7,"title":"7","labels":["a"],"note":"a=b","state":"1"} {}');
    const { calls: none } = await run(['call', 'x']);
    expect(none).toContain('call "x" {} {}');
  });

  it.each([[true], [false]])('fails when the result is an error (terminal: %s)', async (isTTY) => {
    const toolcrib = { call: async () => failing };
    expect(await run(['call', 'x'], { isTTY, toolcrib })).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: 'no such issue\n',
    });
    const asJson = await run(['call', 'x', '--json'], { isTTY, toolcrib });
    expect(asJson).toMatchObject({ exitCode: 1, stderr: '' });
    expect(JSON.parse(asJson.stdout)).toEqual(failing);
  });

  it('tells a person how to log in, where the model was told that they have to', async () => {
    const meta = { 'dev.toolcrib/error': { code: 'login_required', server: 'vault' } };
    const toolcrib = { call: async () => ({ ...failing, _meta: meta }) };
    expect((await run(['call', 'x'], { toolcrib })).stderr).toBe('no such issue\nnext: Run `toolcrib login vault`.\n');
  });

  it('ends with 3 for an unknown tool, before anything is called', async () => {
    const { exitCode, calls } = await run(['call', 'nope']);
    expect(exitCode).toBe(3);
    expect(calls.some((call) => call.startsWith('call'))).toBe(false);
  });

  it.each([['search_tools'], ['describe_tool'], ['call_tool'], ['toolcrib__read_result']])(
    'runs %s, which no server describes',
    async (name) => {
      const { exitCode, calls } = await run(['call', name, '--args', '{"query":"x"}']);
      expect(exitCode).toBe(0);
      expect(calls).toContain(`call "${name}" {"query":"x"} {}`);
      expect(calls.some((call) => call.startsWith('describe'))).toBe(false);
    },
  );

  it('asks the person at the terminal what the server wants to know, and nobody where none sits there', async () => {
    const call: Toolcrib['call'] = async (_name, _args, options) => {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
      const params = { message: 'Server "github" asks: who?', requestedSchema };
      const request = { server: 'github', tool: 'github__x', params, signal: new AbortController().signal };
      return {
        content: [{ type: 'text', text: JSON.stringify((await options?.onElicitation?.(request)) ?? 'nobody') }],
      };
    };
    const asked = await run(['call', 'x'], { toolcrib: { call }, typed: ['Ada', 'y'] });
    expect(asked.stdout).toBe('{"action":"accept","content":{"name":"Ada"}}\n');
    expect(asked.stderr).toContain('Server "github" asks: who?');
    expect((await run(['call', 'x'], { toolcrib: { call } })).stdout).toBe('"nobody"\n');
  });

  it('ends with 2 for arguments that cannot be read', async () => {
    const { exitCode, stderr } = await run(['call', 'x', '--args', '[1]x']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Expected a JSON object, @file or key=value after --args, got "[1]x".');
  });
});
